import { Router } from "velocy";

export const router = new Router();

router.get("/bench/:name", (req, res) => {
  const { name } = req.params;
  const body = JSON.stringify({ name, id: req.queryParams.get("id") });
  res.writeHead(200, {
    "x-powered-by": "benchmark",
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
  });
  res.end(body);
});

import { createServer, Router } from "velocy";

const router = new Router();

router.get("/bench/:name", (req, res) => {
  const { name } = req.params;
  const id = req.queryParams.get("id");
  const body = JSON.stringify({ name, id });
  res.writeHead(200, {
    "x-powered-by": "benchmark",
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
  });
  res.end(body);
});

createServer(router).listen(Number(process.env.PORT ?? 3000));

// The router, and an answer by hand.
import { createServer, Router } from "velocy";

const router = new Router();

router.get("/bench/:name", (req, res) => {
  const body = JSON.stringify({ name: req.params.name, id: req.queryParams.get("id") });
  res.writeHead(200, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
  });
  res.end(body);
});

const server = createServer(router).listen(Number(process.env.PORT ?? 3000), () => {
  console.log(`listening on http://localhost:${server.address().port}`);
});

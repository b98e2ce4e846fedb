import { Router } from "velocy";
import { createServer } from "velocy/engine";

// The program of 2023, on the framework and the engine that the reader has
// built. The engine says by itself that the connection stays.
const router = new Router();

router.get("/bench/:name", (req, res) => {
  const body = JSON.stringify({ name: req.params.name, id: req.queryParams.get("id") });
  res.writeHead(200, {
    "x-powered-by": "benchmark",
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
  });
  res.end(body);
});

const server = createServer(router).listen(Number(process.env.PORT ?? 3000), () => {
  console.log(`listening on http://localhost:${server.address().port}`);
});

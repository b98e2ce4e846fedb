import { Router } from "velocy";
import { createServer } from "velocy/engine";

const router = new Router();

router.get("/", (_req, res) => {
  res.end("hello\n");
  res.on("finish", () => console.log("finished"));
});

router.get("/late", (_req, res) => {
  res.setTimeout(200, () => res.end("too late\n"));
});

const server = createServer(router);

server.listen(Number(process.env.PORT ?? 3000), () => {
  console.log(`listening on http://localhost:${server.address().port}`);
});

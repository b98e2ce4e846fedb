import { createServer, Router } from "velocy";

const router = new Router();

router.get("/", (_req, res) => res.end("welcome\n"));
router
  .get("/hello", (_req, res) => res.end("hello\n"))
  .post("/hello", (_req, res) => res.writeHead(201).end("noted\n"))
  .delete("/notes", (_req, res) => res.writeHead(204).end());

router.get("/throws", () => {
  throw new Error("a secret of the server");
});
router.get("/rejects", async (_req, res) => {
  res.write("the first half, ");
  await null;
  throw new Error("another secret");
});
router.get("/forgets", () => {});

const server = createServer(router);

server.listen(Number(process.env.PORT ?? 3000), () => {
  console.log(`listening on http://localhost:${server.address().port}`);
});

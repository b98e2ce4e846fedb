import net from "node:net";
import { pipeline } from "node:stream/promises";
import { createServer, Router } from "velocy";

const router = new Router();

router.get("/", (_req, res) => res.end("welcome\n"));
router
  .get("/hello", (_req, res) => res.end("hello\n"))
  .post("/hello", (_req, res) => res.writeHead(201).end("noted\n"))
  .delete("/notes", (_req, res) => res.writeHead(204).end());
router.get("/where", (req, res) => res.end(`${req.path}: ${req.route}\n`));
router.get("/throws", (_req, res) => {
  res.statusMessage = "All is well";
  res.setHeader("set-cookie", "user=ada");
  throw new Error("a secret of the server");
});
router.get("/slow", (_req, res) => {
  setTimeout(() => res.end("slow, but whole\n"), 300);
});
router.post("/reads", async (req, res) => {
  let bytes = 0;
  for await (const chunk of req) bytes += chunk.length;
  res.end(`${bytes} bytes\n`);
});
const other = net.createServer((socket) => {
  socket.once("data", () => socket.resetAndDestroy());
});
other.listen(0, "localhost");
router.post("/passes", async (req, res) => {
  await pipeline(req, net.connect(other.address().port, "localhost"));
  res.end("passed on\n");
});
router.get("/rejects", async (_req, res) => {
  res.write("the first half,\n");
  await null;
  throw new Error("another secret");
});
router.get("/forgets", () => {});

const server = createServer(router, {
  onError: (err, req) => console.error(`${req.method} ${req.url}: ${err}`),
});

server.listen(Number(process.env.PORT ?? 3000), () => {
  console.log(`listening on http://localhost:${server.address().port}`);
});

import { randomUUID } from "node:crypto";
import {
  createServer,
  events,
  files,
  MemoryStore,
  Rooms,
  Router,
  sessions,
  websocket,
} from "velocy";

const router = new Router();
const news = [];
const readers = new Set();

router.post("/news", async (req) => {
  const text = await req.text();
  news.push(text);
  const id = String(news.length);
  for (const reader of readers) reader.send({ id, data: text });
  return { id: news.length };
});

router.get("/news", async (req, res) => {
  const reader = events(req, res, { keepAlive: 5_000 });
  const { lastEventId, signal } = reader;
  let seen = /^\d+$/.test(lastEventId) ? Number(lastEventId) : 0;
  while (seen < news.length && !signal.aborted) {
    seen += 1;
    reader.send({ id: String(seen), data: news[seen - 1] });
    await reader.drained();
  }
  if (signal.aborted) return;
  readers.add(reader);
  signal.addEventListener("abort", () => readers.delete(reader));
});

router.get("/open", () => readers.size);

router.get("/waiting", () => {
  return [...readers].reduce((sum, each) => sum + each.bufferedBytes, 0);
});

router.use("/admin", (_req, res) => {
  res.status(401).text("who are you?\n");
});

router.get("/admin/talk", () => "hello\n");

router.get("/memory", () => process.memoryUsage().rss);

router.get(
  "/talk",
  websocket((socket) => {
    socket.on("message", (data) => {
      const text = String(data);
      socket.send(text.startsWith("{") ? JSON.parse(text).text : text);
    });
    socket.on("close", (...how) => console.log(how));
  }),
);

const secrets = [randomUUID()];
const store = new MemoryStore();
router.use("/members", sessions({ secrets, store }));
router.use("/members", (req, _res, next) => {
  req.session.since ??= Date.now();
  return next();
});
router.get(
  "/members/talk",
  websocket(() => {}),
);

router.get(
  "/quiet",
  websocket(() => {}, { idle: 100 }),
);

const rooms = new Rooms();
let guests = 0;

router.get(
  "/chat/:room",
  websocket(
    (socket, req) => {
      const { room } = req.params;
      guests += 1;
      const name = `guest ${guests}`;
      rooms.join(room, socket);
      const say = (text) =>
        rooms.send(room, JSON.stringify({ name, text }));
      say("is here");
      socket.on("message", (data) => say(String(data)));
      socket.on("close", () => say("has left"));
    },
    { messageBytes: 4096 },
  ),
);

router.get("/*", files("public"));

const onError = (err, req) => console.log(req.path, err.name);
const server = createServer(router, { onError });

server.listen(Number(process.env.PORT ?? 3000), () => {
  console.log(`listening on http://localhost:${server.address().port}`);
});

import { setTimeout as sleep } from "node:timers/promises";
import {
  closeGracefully,
  createServer,
  HttpError,
  health,
  RedisLimits,
  RedisStore,
  Router,
  rateLimit,
  sessions,
} from "velocy";
import { RedisClient } from "./lib/redis/client.js";

const [address] = process.argv.slice(2);
const port = Number(process.env.PORT ?? 3000);
const redis = `redis://127.0.0.8:${port}`;
const deadline = Number(process.env.REDIS_MS ?? 200);
const orders = new RedisClient(redis, deadline);
const store = new RedisStore(redis, { deadline });
const limits = new RedisLimits(redis, { deadline });
const secrets = ["a secret of at least thirty-two bytes"];
const router = new Router();
const most = { name: "pages", requests: 100_000, seconds: 60 };
const few = { name: "tries", requests: 3, seconds: 60 };
let pause = 100;

router.get("/", rateLimit({ ...most, store: limits }), async () => {
  if (pause === 0) throw new HttpError(500, "the disk is full");
  await sleep(pause);
  return `this is ${address}\n`;
});

router.get("/tries", rateLimit({ ...few, store: limits }), () => {
  return `this is ${address}\n`;
});

router.post("/pause/:ms", ({ params }) => {
  pause = Number(params.ms);
  return "done\n";
});

router.get("/pid", () => `${process.pid}\n`);
router.get("/readyz", health().ready);
router.get("/ip", ({ ip }) => `${ip}\n`);
router.get("/scheme", ({ headers, socket }) => {
  const isFromProxy = socket.remoteAddress === "127.0.0.7";
  const scheme = isFromProxy ? headers["x-forwarded-proto"] : "http";
  return `${scheme}\n`;
});
router.get("/work", () => {
  const end = performance.now() - 5 * Math.log(1 - Math.random());
  while (performance.now() < end);
  return "done\n";
});

router.use("/visits", sessions({ secrets, store }));
router.get("/visits", ({ session }) => {
  session.count = (session.count ?? 0) + 1;
  return `visit ${session.count}, at ${address}\n`;
});

async function ask(...words) {
  try {
    return await orders.command(...words);
  } catch (cause) {
    throw new HttpError(503, "no orders now", { cause });
  }
}

router.post("/orders/:run/:number", async (req, res) => {
  const { run, number } = req.params;
  if (pause === 0) throw new HttpError(500, "the disk is full");
  await ask("RPUSH", `orders:${run}`, number);
  await sleep(pause);
  res.status(201).text("taken\n");
});

router.get("/orders/:run", ({ params }) => {
  return ask("LRANGE", `orders:${params.run}`, 0, -1);
});

const options = { proxies: ["127.0.0.7"], keepAliveTimeout: 65_000 };
const server = createServer(router, options);
server.listen(port, address, () => process.send("listening"));

process.once("SIGTERM", async () => {
  await closeGracefully(server, { notice: 1_500, deadline: 5_000 });
  process.exit();
});

import { fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import {
  closeGracefully,
  createLogger,
  createServer,
  health,
  Router,
} from "velocy";

const logger = createLogger();
const router = new Router();

router.get("/work", async () => {
  await sleep(50);
  return "done\n";
});
router.get("/slow", () => sleep(500, "done slowly\n"));
router.get("/pid", () => `${process.pid}\n`);

const { alive, ready } = health({ clock: () => Date.now() > 0 });
router.get("/healthz", alive);
router.get("/readyz", ready);

router.get("/crash", () => {
  setTimeout(() => {
    throw new Error("nobody catches this");
  }, 200);
  return "soon\n";
});

const server = createServer(router);

function tell() {
  const { port } = server.address();
  console.log(`listening on http://localhost:${port} (pid ${process.pid})`);
  if (!process.connected) return;
  process.send("listening");
  process.disconnect();
}

if (process.connected) {
  process.send("ready to listen");
  const [, socket] = await once(process, "message");
  server.listen(socket, tell);
} else {
  server.listen(Number(process.env.PORT ?? 3000), tell);
}

const notice = Number(process.env.NOTICE ?? 0);

async function stop(exitCode) {
  process.exitCode = exitCode;
  const closed = await closeGracefully(server, { notice });
  logger.info("closed", closed);
  await logger.close();
}

process.once("SIGTERM", () => stop(0));
process.once("SIGINT", () => stop(0));

process.once("uncaughtException", (error) => {
  logger.fatal("uncaught", { error });
  stop(1);
});

process.on("SIGUSR2", async () => {
  const successor = fork(process.argv[1]);
  await once(successor, "message");
  successor.send("the socket", server);
  await once(successor, "message");
  successor.unref();
  stop(0);
});

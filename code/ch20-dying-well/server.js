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

const { NOTICE = "0" } = process.env;
if (!/^\d{1,6}$/.test(NOTICE)) throw new Error("NOTICE is milliseconds");

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

let isStopping = false;
let successor = null;

async function stop(notice = 0) {
  if (isStopping) return;
  isStopping = true;
  successor?.kill();
  const deadline = notice + 8000;
  const closed = await closeGracefully(server, { deadline, notice });
  logger.info("closed", closed);
  await logger.close();
}

process.once("SIGTERM", () => stop(Number(NOTICE)));
process.once("SIGINT", () => stop(Number(NOTICE)));

process.once("uncaughtException", (error) => {
  process.exitCode = 1;
  logger.fatal("uncaught", { error });
  stop();
});

async function replace() {
  const child = fork(process.argv[1]);
  successor = child;
  child.once("exit", () => {
    successor = null;
  });
  await once(child, "message");
  child.send("the socket", server);
  await once(child, "message");
  child.unref();
  successor = null;
  stop();
}

process.on("SIGUSR2", () => {
  if (isStopping || successor !== null) return;
  replace().catch((error) => logger.error("not replaced", { error }));
});

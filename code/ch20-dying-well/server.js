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

const deadline = 8000;
const notice = Number(process.env.NOTICE ?? 0);
if (!Number.isInteger(notice) || notice < 0 || notice >= deadline) {
  throw new Error(`NOTICE is milliseconds, fewer than ${deadline}`);
}

const server = createServer(router);
const isSuccessor = process.argv[2] === "--successor";

function tell() {
  const { port } = server.address();
  console.log(`listening on http://localhost:${port} (pid ${process.pid})`);
  if (!isSuccessor) return;
  process.send("listening");
  process.disconnect();
}

let socket;
if (isSuccessor) {
  process.send("ready to listen");
  [, socket] = await once(process, "message");
}
server.listen(socket ?? Number(process.env.PORT ?? 3000), tell);

let isStopping = false;
let successor = null;

async function stop(options) {
  const closing = closeGracefully(server, { deadline, ...options });
  if (isStopping) return;
  isStopping = true;
  // What isn't a connection may keep the process alive, too.
  setTimeout(() => process.exit(), deadline + 1000).unref();
  logger.info("closed", await closing);
  await logger.flush();
}

function leave() {
  successor?.kill();
  stop({ notice });
}

process.once("SIGTERM", leave);
process.once("SIGINT", leave);

process.on("uncaughtException", (error) => {
  process.exitCode = 1;
  logger.fatal("uncaught", { error });
  stop();
});

async function replace() {
  const child = fork(process.argv[1], ["--successor"]);
  successor = child;
  const ended = once(child, "exit").then(([code, signal]) => {
    throw new Error(`the new process ended with ${code ?? signal}`);
  });
  const message = () => Promise.race([once(child, "message"), ended]);
  await message();
  child.send("the socket", server);
  await message();
  child.unref();
  stop();
}

process.on("SIGUSR2", async () => {
  if (isStopping || successor !== null) return;
  const timer = setTimeout(() => successor?.kill("SIGKILL"), 10_000);
  try {
    await replace();
  } catch (err) {
    logger.error("not replaced", { reason: err.message });
  }
  clearTimeout(timer);
  successor = null;
});

const logger = createLogger();

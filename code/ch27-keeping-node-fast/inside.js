import { rmSync } from "node:fs";
import { createServer } from "node:http";
import { Session } from "node:inspector/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { isMainThread } from "node:worker_threads";

const delay = monitorEventLoopDelay({ resolution: 1 });
const session = new Session();
let before;
let isRecording = false;

function startLoop() {
  const usage = process.cpuUsage();
  before = { ...performance.eventLoopUtilization(), usage };
  delay.reset();
  delay.enable();
}

function stopLoop() {
  delay.disable();
  const { utilization, active, idle } =
    performance.eventLoopUtilization(before);
  const { user, system } = process.cpuUsage(before.usage);
  const processor = (user + system) / 1000 / (active + idle);
  return { busy: utilization, processor, longest: delay.max / 1e6 };
}

async function startProfile() {
  if (isRecording) {
    throw new Error("a profile is under way; /profile/stop ends it");
  }
  isRecording = true;
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.start");
}

async function stopProfile() {
  const { profile } = await session.post("Profiler.stop");
  session.disconnect();
  isRecording = false;
  return profile;
}

const questions = {
  "/usage": () => process.cpuUsage(),
  "/loop/start": startLoop,
  "/loop/stop": stopLoop,
  "/profile/start": startProfile,
  "/profile/stop": stopProfile,
};

const server = createServer(async (req, res) => {
  try {
    const question = questions[req.url];
    if (question === undefined) throw new Error(`no ${req.url} here`);
    res.end(JSON.stringify((await question()) ?? null));
  } catch (err) {
    // The server that it looks at goes on, whatever is asked.
    res.statusCode = 500;
    res.end(JSON.stringify({ error: err.message }));
  }
});
const path = join(tmpdir(), `inside-${process.pid}.sock`);

function listen() {
  rmSync(path, { force: true });
  server.listen(path).unref();
  process.on("exit", () => rmSync(path, { force: true }));
}

function giveUp(err) {
  console.error(`inside.js can't be asked: ${err.message}`);
}

server.on("error", giveUp);
// Worker threads load this module too, and have the same process.pid.
if (isMainThread) {
  try {
    listen();
  } catch (err) {
    giveUp(err);
  }
}

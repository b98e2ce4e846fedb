import { rmSync } from "node:fs";
import { createServer } from "node:http";
import { Session } from "node:inspector/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";

const delay = monitorEventLoopDelay({ resolution: 1 });
const session = new Session();
let before;

function startLoop() {
  before = performance.eventLoopUtilization();
  delay.reset();
  delay.enable();
}

function stopLoop() {
  delay.disable();
  const { utilization } = performance.eventLoopUtilization(before);
  return { busy: utilization, longest: delay.max / 1e6 };
}

async function startProfile() {
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.start");
}

async function stopProfile() {
  const { profile } = await session.post("Profiler.stop");
  session.disconnect();
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
  const value = await questions[req.url]();
  res.end(JSON.stringify(value ?? null));
});
const path = join(tmpdir(), `inside-${process.pid}.sock`);

rmSync(path, { force: true });
server.listen(path).unref();
process.on("exit", () => rmSync(path, { force: true }));

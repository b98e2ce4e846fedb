import { spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { Visitors } from "./visitors.js";

const [signal = "SIGTERM"] = process.argv.slice(2);
const port = Number(process.env.PORT ?? 3000);
const started = new EventEmitter();
let child;
let pid;

function start() {
  child = spawn(process.execPath, ["server.js"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  createInterface(child.stdout).on("line", (line) => {
    const found = / \(pid (\d+)\)$/.exec(line);
    if (found !== null) started.emit("pid", Number(found[1]));
  });
}

async function untilExit() {
  const kill = () => {
    console.log("it doesn't end: SIGKILL");
    child.kill("SIGKILL");
  };
  const timer = setTimeout(kill, 3000);
  await once(child, "exit");
  clearTimeout(timer);
}

async function restart() {
  process.kill(pid, signal);
  if (signal === "SIGTERM") {
    await untilExit();
    start();
  }
  [pid] = await once(started, "pid");
}

start();
[pid] = await once(started, "pid");
const visitors = new Visitors(port, 40);
for (let i = 0; i < 3; i += 1) {
  await sleep(500);
  await restart();
}
await sleep(500);
await visitors.leave();
process.kill(pid);
await once(child.stdout, "close");
if (visitors.failures.size === 0) console.log("nothing failed");
for (const [code, count] of visitors.failures) console.log(code, count);

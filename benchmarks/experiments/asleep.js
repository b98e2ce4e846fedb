// Who uses the generator's core when no program does. Beside a server that is
// slower than it, wrk falls asleep and is woken thousands of times a second.
// What the kernel needs for that belongs to no program. A loop of the lowest
// priority on the same core leaves no time to sleep, and shows it:
// node benchmarks/experiments/asleep.js (Linux alone)
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import os from "node:os";
import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import { prepare, readContender } from "../lib/contenders.js";
import { layOut } from "../lib/layout.js";
import { choosePlatform } from "../lib/platform/index.js";
import { ServerProcess } from "../lib/processes.js";
import { formatNumber, formatTable } from "../lib/table.js";
import { parseWrk, wrkCommand } from "../lib/wrk.js";

const CONTENDERS = ["express", "node-http", "node-net", "axum"];
const [LEAD, SECONDS, TAIL] = [1, 2, 1];
const TURNS = 3;

const platform = choosePlatform();
const layout = layOut({ cores: os.availableParallelism(), workers: 1, canPin: platform.canPin });
if (platform.name !== "linux" || layout.shared) {
  console.error("asleep.js needs Linux, and two cores");
  process.exit(1);
}
platform.pin(process.pid, layout.generator);
const [core] = layout.generator;

/** @param {number} pid @returns {number} how often its threads fell asleep */
function sleepsOf(pid) {
  const counts = readdirSync(`/proc/${pid}/task`).map((id) => {
    const status = readFileSync(`/proc/${pid}/task/${id}/status`, "utf8");
    return Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(status)?.[1]);
  });
  return counts.reduce((sum, count) => sum + count, 0);
}

/** @param {number} pid @returns {Promise<number>} microseconds of all its threads */
async function timeOf(pid) {
  const [{ threads }] = [...(await platform.cpuTime([pid])).values()];
  return [...threads.values()].reduce((sum, time) => sum + time, 0);
}

/**
 * @param {ServerProcess} server
 * @param {boolean} isKeptAwake
 */
async function look(server, isKeptAwake) {
  const url = `http://127.0.0.1:${server.port}/bench/testing?id=10`;
  const pinned = platform.pinned([core]);
  const start = (/** @type {string[]} */ [file, ...args]) =>
    spawn(file, args, { stdio: ["ignore", "pipe", "ignore"] });
  const loop = isKeptAwake
    ? start([...pinned, "chrt", "--idle", "0", process.execPath, "-e", "for (;;);"])
    : undefined;
  const seconds = LEAD + SECONDS + TAIL;
  const wrk = start([...pinned, ...wrkCommand({ url, connections: 256, seconds })]);
  let output = "";
  wrk.stdout.on("data", (chunk) => (output += chunk));
  const ended = once(wrk, "exit");
  const see = async () => ({
    core: await platform.coreTimes([core]),
    wrk: await timeOf(/** @type {number} */ (wrk.pid)),
    loop: loop?.pid === undefined ? 0 : await timeOf(loop.pid),
    ours: process.cpuUsage().user + process.cpuUsage().system,
    sleeps: sleepsOf(/** @type {number} */ (wrk.pid)),
    at: performance.now() * 1000,
  });
  try {
    await delay(LEAD * 1000);
    const before = await see();
    await delay(SECONDS * 1000);
    const after = await see();
    await ended;
    const wall = after.at - before.at;
    if (before.core === undefined || after.core === undefined) throw new Error("no core times");
    const all = after.core.all - before.core.all;
    const busy = (after.core.busy - before.core.busy) / all;
    const used = (/** @type {"wrk" | "loop" | "ours"} */ name) =>
      (after[name] - before[name]) / wall;
    return {
      rate: parseWrk(output).requestsPerSecond,
      wrk: used("wrk"),
      others: busy - used("wrk") - used("loop") - used("ours"),
      sleeps: ((after.sleeps - before.sleeps) / wall) * 1e6,
    };
  } finally {
    loop?.kill("SIGKILL");
    wrk.kill("SIGKILL");
    await ended;
  }
}

const percent = (/** @type {number} */ share) => formatNumber(share * 100, 1);
/** @param {number[]} values of the turns @returns {number[]} from the least */
const sorted = (values) => [...values].sort((a, b) => a - b);
const middle = (/** @type {number[]} */ values) => sorted(values)[Math.floor(TURNS / 2)];
const rows = [["server", "wrk's core", "requests/s", "wrk, %", "nobody's, %", "wrk sleeps, /s"]];
for (const id of CONTENDERS) {
  const { program } = await prepare(readContender(id), { workers: 1 }, console.error);
  const server = await ServerProcess.start({
    command: [...platform.pinned(layout.server), ...program.command],
    cwd: program.cwd,
    env: program.env,
  });
  /** @type {Awaited<ReturnType<typeof look>>[][]} as it may sleep, and kept awake */
  const looks = [[], []];
  try {
    for (let turn = 0; turn < TURNS; turn++) {
      if (process.stderr.isTTY) console.error(id, turn + 1);
      looks[0].push(await look(server, false));
      looks[1].push(await look(server, true));
    }
  } finally {
    await server.stop();
  }
  for (const [index, where] of ["may sleep", "kept awake"].entries()) {
    const of = (/** @type {"rate" | "wrk" | "others" | "sleeps"} */ name) =>
      looks[index].map((each) => each[name]);
    const others = sorted(of("others"));
    rows.push([
      ...[id, where, formatNumber(middle(of("rate"))), percent(middle(of("wrk")))],
      `${percent(middle(others))} (${percent(others[0])} to ${percent(others[TURNS - 1])})`,
      formatNumber(middle(of("sleeps"))),
    ]);
  }
}
console.log(formatTable(rows, ["left", "left", "right", "right", "right", "right"]));
console.log(`\nmedians of ${TURNS} turns; in parentheses the least and the most`);

// Where the time goes in velocy on its own engine: `node --cpu-prof` while wrk
// asks on 64 connections, in a few processes one after the other. What a
// process does before it is warm is cut off. It needs wrk, and Linux for the
// time inside the kernel: node benchmarks/experiments/engine-profile.js
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { median } from "simple-statistics";
import { parseStat } from "../lib/platform/linux.js";
import { selfTimes } from "../lib/self-times.js";
import { formatNumber, formatTable } from "../lib/table.js";
import { load, startServer } from "./servers.js";

/** @import { Frame } from "../lib/self-times.js" */

const PROCESSES = 5;
const WARM_UP_SECONDS = 4;
const SECONDS = 6;
const INTERVAL_MICROSECONDS = 250;
/** How long a process may take to write its profile. */
const WRITING = 30_000;
// A process that a signal has ended writes no profile.
const END = 'process.on("SIGTERM", () => process.exit());';

const MILESTONE = new URL("../../code/ch22-engine/", import.meta.url);
const SERVER = fileURLToPath(new URL("on-engine.js", MILESTONE));
const LIB = new URL("lib/", MILESTONE).href;
/** @type {[name: string, pattern: RegExp][]} the first that fits counts */
const GROUPS = [
  ["engine: reading the head", /^engine\/(head|framing|request-line|bytes|white-space)\.js$/],
  ["engine: head of the answer", /^engine\/response-head\.js$/],
  ["engine: answer", /^engine\/(response|output|writing)\.js$/],
  ["engine: connection and request", /^(engine\/|light\.js)/],
  ["router and parameters", /^(router|request)\//],
  ["rest of velocy", /./],
];

/** @param {Frame} frame */
function groupOf({ functionName, url }) {
  if (functionName === "(garbage collector)") return "garbage collector";
  // V8 doesn't see what isn't JavaScript, and says `(program)`.
  if (functionName === "(program)") return "libuv: polls and reads";
  if (functionName === "writeLatin1String") return "write: C++ and kernel";
  if (url === "") return "other calls into C++";
  if (url.startsWith("node:")) return "Node's JavaScript";
  if (!url.startsWith(LIB)) return "handler, with its JSON";
  const file = url.slice(LIB.length);
  return GROUPS.find(([, pattern]) => pattern.test(file))?.[0] ?? file;
}

/** @returns {number} microseconds of the clock that V8 reads */
function now() {
  return Number(process.hrtime.bigint() / 1000n);
}

/** @param {number} pid */
function ticksOf(pid) {
  const fields = parseStat(readFileSync(`/proc/${pid}/stat`, "utf8"));
  return { user: Number(fields[11]), system: Number(fields[12]) };
}

/** @param {string} folder */
async function profileOnce(folder) {
  const server = await startServer(SERVER, {
    nodeArgs: [
      `--import=data:text/javascript,${encodeURIComponent(END)}`,
      "--cpu-prof",
      `--cpu-prof-interval=${INTERVAL_MICROSECONDS}`,
      `--cpu-prof-dir=${folder}`,
    ],
  });
  try {
    await load(server, { seconds: WARM_UP_SECONDS });
    const [from, before] = [now(), ticksOf(server.pid)];
    const { requestsPerSecond } = await load(server, { seconds: SECONDS });
    const [to, after] = [now(), ticksOf(server.pid)];
    process.kill(server.pid, "SIGTERM");
    for (let waited = 0; server.isRunning && waited < WRITING; waited += 50) await sleep(50);
    const [file] = readdirSync(folder);
    const profile = JSON.parse(readFileSync(path.join(folder, file), "utf8"));
    const user = after.user - before.user;
    const system = after.system - before.system;
    const kernel = system / (user + system);
    return { times: selfTimes(profile, { from, to, groupOf }), requestsPerSecond, kernel };
  } finally {
    await server.stop();
  }
}

const folder = mkdtempSync(path.join(os.tmpdir(), "engine-profile-"));
/** @type {Awaited<ReturnType<typeof profileOnce>>[]} */
const runs = [];
try {
  for (let i = 1; i <= PROCESSES; i += 1) {
    if (process.stderr.isTTY) console.error(`process ${i} of ${PROCESSES}`);
    runs.push(await profileOnce(path.join(folder, String(i))));
  }
} finally {
  rmSync(folder, { recursive: true });
}

const shares = runs.map(({ times }) => {
  const all = [...times.values()].reduce((sum, time) => sum + time, 0);
  return new Map([...times].map(([group, time]) => [group, (100 * time) / all]));
});
const percent = (/** @type {number} */ share) => formatNumber(share, 1);
const rows = [...new Set(shares.flatMap((share) => [...share.keys()]))]
  .map((group) => {
    const all = shares.map((share) => share.get(group) ?? 0);
    return { group, middle: median(all), least: Math.min(...all), most: Math.max(...all) };
  })
  .sort((a, b) => b.middle - a.middle);
console.log(
  formatTable(
    [
      ["what", "% of the samples", "least", "most"],
      ...rows.map(({ group, middle, least, most }) => [
        group,
        ...[middle, least, most].map(percent),
      ]),
    ],
    ["left", "right", "right", "right"],
  ),
);
const rates = runs.map(({ requestsPerSecond }) => requestsPerSecond);
const inKernel = median(runs.map(({ kernel }) => kernel));
console.log(
  `\nmedians of ${PROCESSES} processes, ${SECONDS} s each; ${formatNumber(median(rates))} requests/s`,
);
console.log(`of the processor time ${formatNumber(100 * inKernel)} % was inside the kernel`);

/**
 * Chapter 28's cache beside memcached and others, what an item weighs, and
 * what the requests without an answer come to:
 *
 *     node benchmarks/experiments/cache.js [--quick] [--machine NAME]
 *
 * On Linux the servers have core 0 and the client core 1. Needs memcached, and
 * takes yrmcds if it is there: `apt-get install memcached yrmcds`. Takes about
 * seven minutes. Exits with 1 if a target isn't reached.
 */
import { execFile, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import { freePort } from "../../code/contracts/port.js";
import { deriveCache, OPERATIONS } from "../lib/cache.js";
import { describeMachine, outputOf } from "../lib/machine.js";
import { drawOrder, seededRandom } from "../lib/statistics.js";

/** @import { CacheRun } from "../lib/cache.js" */

const FOLDER = fileURLToPath(new URL("../../code/ch28-cache/", import.meta.url));
const CLIENT = fileURLToPath(new URL("cache-client.js", import.meta.url));
const VARIANT = fileURLToPath(new URL("cache-server.js", import.meta.url));
const RESULTS = new URL("../results/", import.meta.url);
const MOST_CPU = 1.1;
const MOST_MEMORY = 1.5;
/** Items to weigh: what their data takes, in bytes, and how many. */
const WEIGHTS = {
  small: { data: 3, count: 400_000 },
  middle: { data: 100, count: 300_000 },
  large: { data: 1000, count: 100_000 },
};
const LIMIT = 64;

const { values } = parseArgs({
  options: { quick: { type: "boolean", default: false }, machine: { type: "string" } },
});
const seconds = values.quick ? 1 : 2;
const blocks = values.quick ? 2 : 7;

const isRoot = process.getuid?.() === 0;
const asNobody = isRoot ? ["-u", "nobody"] : [];
const memcached = (/** @type {string} */ port, /** @type {string} */ threads) => [
  ...["memcached", ...asNobody, "-U", "0", "-l", "127.0.0.1", "-p", port],
  ...["-t", threads, "-m", "1024"],
];
const node = (/** @type {string[]} */ ...args) => [process.execPath, ...args];
const ours = (/** @type {string} */ port, /** @type {string[]} */ ...more) =>
  node(`${FOLDER}server.js`, "-p", port, "-m", "1024", ...more);

/** What is run, by name: the command for a port. */
const contenders = /** @type {Record<string, (port: string) => string[]>} */ ({
  nodecached: (port) => ours(port),
  twin: (port) => ours(port),
  delayed: (port) => ours(port, "--delay"),
  floor: (port) => ours(port, "--error"),
  plain: (port) => node(VARIANT, "plain", port),
  buffers: (port) => node(VARIANT, "buffers", port),
  strings: (port) => node(VARIANT, "strings", port),
  memcached: (port) => memcached(port, "1"),
  "memcached-4": (port) => memcached(port, "4"),
});
if (outputOf("memcached", ["-V"]) === undefined) {
  console.error("memcached isn't here: apt-get install memcached, or brew install memcached");
  process.exit(1);
}
const YRMCDS = ["/usr/sbin/yrmcdsd", "/usr/local/sbin/yrmcdsd"].find(existsSync);
if (YRMCDS !== undefined) {
  contenders.yrmcds = (port) => {
    const file = `/tmp/yrmcds-${port}.conf`;
    const user = isRoot ? "user = nobody\n" : "";
    writeFileSync(file, `${user}port = ${port}\nworkers = 1\nmax_data_size = 1M\n`);
    return [YRMCDS, "-f", file];
  };
}

const isPinned = process.platform === "linux" && outputOf("taskset", ["-V"]) !== undefined;
const pin = (/** @type {string} */ core, /** @type {string[]} */ command) =>
  isPinned ? ["taskset", "-c", core, ...command] : command;

/** @param {string} port */
async function untilItListens(port) {
  for (let tries = 0; tries < 200; tries++) {
    const socket = connect({ port: Number(port), host: "127.0.0.1" });
    const listens = await once(socket, "connect").then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (listens) return;
    await delay(50);
  }
  throw new Error(`nothing listens on ${port}`);
}

/**
 * @template T
 * @param {string[]} command
 * @param {string} port
 * @param {(pid: number) => Promise<T>} work
 */
async function withServer(command, port, work) {
  const [file, ...args] = command;
  const child = spawn(file, args, { stdio: "ignore", cwd: FOLDER });
  const failed = once(child, "error").then(([error]) => Promise.reject(error));
  try {
    await Promise.race([untilItListens(port), failed]);
    return await work(Number(child.pid));
  } finally {
    child.kill("SIGKILL");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  }
}

/** Microseconds on a core, of all threads. @param {number} pid */
function cpuOf(pid) {
  const folder = `/proc/${pid}/task`;
  if (!existsSync(folder)) {
    const time = outputOf("ps", ["-o", "time=", "-p", String(pid)]) ?? "0";
    return time.split(":").reduce((sum, part) => sum * 60 + Number(part), 0) * 1e6;
  }
  return readdirSync(folder)
    .map((task) => Number(readFileSync(`${folder}/${task}/schedstat`, "utf8").split(" ")[0]) / 1000)
    .reduce((sum, one) => sum + one, 0);
}

/** @param {number} pid */
function residentOf(pid) {
  return Number(outputOf("ps", ["-o", "rss=", "-p", String(pid)])) * 1024;
}

/**
 * @param {string} port
 * @param {number} pid
 * @param {"set" | "get"} what
 * @param {string[]} more
 */
async function load(port, pid, what, ...more) {
  const [file, ...args] = pin("1", [process.execPath, CLIENT]);
  const client = fork(args.at(-1) ?? CLIENT, [port, what, String(seconds), ...more], {
    execPath: file,
    execArgv: isPinned ? args.slice(0, -1) : [],
  });
  try {
    await once(client, "message");
    const before = cpuOf(pid);
    const [{ answered, took, busy }] = await once(client, "message");
    const used = cpuOf(pid) - before;
    return {
      microseconds: used / answered,
      rate: answered / took,
      server: used / took / 1e6,
      busy,
    };
  } finally {
    client.kill();
  }
}

/** Puts items into a server. @param {string} port @param {number} count @param {number} data */
async function fill(port, count, data) {
  const socket = connect({ port: Number(port), host: "127.0.0.1" });
  const text = "v".repeat(data);
  for (let n = 0; n < count; ) {
    let batch = "";
    for (const end = Math.min(count, n + 500); n < end; n++) {
      batch += `set key:${String(n).padStart(8, "0")} 0 0 ${data} noreply\r\n${text}\r\n`;
    }
    if (!socket.write(batch)) await once(socket, "drain");
  }
  socket.write("version\r\n");
  await once(socket, "data");
  socket.destroy();
}

/** Growth for each item, in bytes. @param {string} name @param {{ data: number, count: number }} item */
async function weigh(name, { data, count }) {
  const port = `${await freePort()}`;
  return withServer(contenders[name](port), port, async (pid) => {
    await fill(port, 2000, data);
    const before = residentOf(pid);
    await fill(port, count, data);
    return (residentOf(pid) - before) / (count - 2000);
  });
}

/** What four times the limit leaves, in bytes. @param {string[]} command @param {string} port */
async function overfill(command, port) {
  return withServer(command, port, async (pid) => {
    const before = residentOf(pid);
    for (const data of [10, 100, 1000, 10_000]) {
      await fill(port, Math.ceil((LIMIT * 1024 * 1024) / (data + 60)), data);
    }
    return { before, after: residentOf(pid), growth: residentOf(pid) - before };
  });
}

async function sendWithoutAnswers() {
  const ways = ["answered", "written", "at-once", "joined"];
  /** @type {Record<string, Record<string, number>>} */
  const rates = {};
  for (const name of ["nodecached", "memcached"]) {
    const port = `${await freePort()}`;
    rates[name] = await withServer(pin("0", contenders[name](port)), port, async () => {
      /** @type {Record<string, number>} */
      const found = {};
      for (const way of ways) {
        for (const nagle of [false, true]) {
          const requests = way === "answered" ? "20000" : "200000";
          const options = ["-n", requests, "-t", "3", "--noreply", "--way", way];
          const args = ["load.js", port, ...options, ...(nagle ? ["--delay"] : [])];
          const [file, ...rest] = pin("1", [process.execPath, ...args]);
          const { stdout } = await promisify(execFile)(file, rest, { cwd: FOLDER });
          found[`${way}${nagle ? "-nagle" : ""}`] = Number(/(\d+) a second/.exec(stdout)?.[1]);
        }
      }
      return found;
    });
  }
  return rates;
}

const startedAt = new Date().toISOString();
const where = describeMachine();
const random = seededRandom(28);
/** @type {Record<string, Record<"set" | "get", CacheRun>>[]} */
const all = [];
for (let block = 0; block < blocks; block++) {
  /** @type {Record<string, Record<"set" | "get", CacheRun>>} */
  const row = {};
  for (const name of drawOrder(Object.keys(contenders), random)) {
    process.stderr.write(`block ${block + 1} of ${blocks}: ${name}\n`);
    const port = `${await freePort()}`;
    row[name] = await withServer(pin("0", contenders[name](port)), port, async (pid) => ({
      set: await load(port, pid, "set"),
      get: await load(port, pid, "get"),
    }));
  }
  all.push(row);
}
const derived = deriveCache(all, Object.keys(contenders));

process.stderr.write("weighing items\n");
/** @type {Record<string, Record<string, number>>} */
const memory = {};
for (const [size, item] of Object.entries(WEIGHTS)) {
  const nodecached = await weigh("nodecached", item);
  const other = await weigh("memcached", item);
  memory[size] = { data: item.data, nodecached, memcached: other, ratio: nodecached / other };
}
const limitPort = `${await freePort()}`;
const command = node(`${FOLDER}server.js`, "-p", limitPort, "-m", String(LIMIT));
const limit = { mebibytes: LIMIT, ...(await overfill(command, limitPort)) };
process.stderr.write("sending without answers\n");
const noreply = await sendWithoutAnswers();

/** @param {number} number */
const round = (number) => number.toFixed(number < 10 ? 2 : 0);
const lines = [
  `${blocks} blocks of ${seconds} s, 50 connections, values of 3 bytes, Node ${process.version}`,
  `${where.cores} cores of ${where.cpu}${isPinned ? ", pinned" : ""}`,
];
for (const what of OPERATIONS) {
  const { noise, contenders: rows } = derived[what];
  lines.push("", `${what.padEnd(12)} us/request  to memcached    requests/s  server  client`);
  for (const [name, row] of Object.entries(rows)) {
    const { low, high } = row.ratio;
    lines.push(
      [
        name.padEnd(12),
        row.microseconds.median.toFixed(2).padStart(10),
        ` ${row.ratio.median.toFixed(2)} (${low.toFixed(2)}-${high.toFixed(2)})`.padEnd(17),
        Math.round(row.rate).toLocaleString("en").padStart(10),
        `${Math.round(row.server * 100)} %`.padStart(7),
        `${Math.round(row.busy * 100)} %`.padStart(7),
      ].join(" "),
    );
  }
  lines.push(`the twins differ by up to ${(noise * 100).toFixed(0)} %`);
}
lines.push("", "data of an item  nodecached  memcached  ratio");
for (const { data, nodecached, memcached: other, ratio } of Object.values(memory)) {
  const cells = [Math.round(nodecached), Math.round(other), round(ratio)];
  lines.push(
    `${`${data} bytes`.padEnd(16)} ${cells.map((cell) => String(cell).padStart(10)).join(" ")}`,
  );
}
const grown = Math.round(limit.growth / 1024 / 1024);
lines.push(`four times a limit of ${LIMIT} MiB: the process grew by ${grown} MiB`);
lines.push("", "noreply          nodecached  memcached  requests/s");
for (const way of Object.keys(noreply.nodecached)) {
  const cells = [noreply.nodecached[way], noreply.memcached[way]];
  lines.push(
    `${way.padEnd(16)} ${cells.map((cell) => cell.toLocaleString("en").padStart(10)).join(" ")}`,
  );
}
const ratios = OPERATIONS.map((what) => derived[what].contenders.nodecached.ratio.median);
const cpuIsReached = ratios.every((ratio) => ratio <= MOST_CPU);
const memoryIsReached = Object.values(memory).every(({ ratio }) => ratio <= MOST_MEMORY);
lines.push("", `CPU at most ${MOST_CPU} of memcached's: ${cpuIsReached ? "yes" : "no"}`);
lines.push(`memory at most ${MOST_MEMORY} of memcached's: ${memoryIsReached ? "yes" : "no"}`);
console.log(lines.join("\n"));
if (!cpuIsReached || !memoryIsReached) process.exitCode = 1;
if (values.machine !== undefined) {
  const folder = new URL(`${values.machine}/`, RESULTS);
  mkdirSync(folder, { recursive: true });
  const facts = {
    suite: "cache",
    startedAt,
    command: `node benchmarks/experiments/cache.js --machine ${values.machine}`,
    node: process.version,
    versions: { memcached: outputOf("memcached", ["-V"]) },
    where,
    isPublishable: !values.quick,
    seconds,
  };
  const result = {
    ...facts,
    cpuIsReached,
    memoryIsReached,
    derived,
    memory,
    limit,
    noreply,
    runs: all,
  };
  writeFileSync(new URL("cache.json", folder), `${JSON.stringify(result, null, 2)}\n`);
  writeFileSync(new URL("cache.txt", folder), `${lines.join("\n")}\n`);
}

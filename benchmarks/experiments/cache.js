/**
 * Chapter 28's cache beside memcached and others, what an item weighs, what
 * the requests without an answer come to, and what the tester of the chapter
 * tells of three servers: see `--help`.
 *
 * On Linux the servers have core 0 and the client core 1. Exits with 1 if a
 * goal is missed.
 */
import { execFile, fork, spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { freePort } from "../../code/contracts/port.js";
import { ensureDependencies } from "../../tools/lib/setup.js";
import { deriveCache, deriveNoreply, formatCache, judgeCache, WAYS } from "../lib/cache.js";
import { describeMachine, outputOf } from "../lib/machine.js";
import { drawOrder, estimate, seededRandom } from "../lib/statistics.js";
import { readProgramOptions } from "../programs.js";

/** @import { CacheResult, CacheRun } from "../lib/cache.js" */

const FOLDER = fileURLToPath(new URL("../../code/ch28-cache/", import.meta.url));
const CLIENT = fileURLToPath(new URL("cache-client.js", import.meta.url));
const NPM_CLIENT = fileURLToPath(new URL("cache-npm/client.js", import.meta.url));
const VARIANT = fileURLToPath(new URL("cache-server.js", import.meta.url));
const RESULTS = new URL("../results/", import.meta.url);
/** Items to weigh: what their data takes, in bytes, and how many. */
const WEIGHTS = {
  small: { data: 3, count: 400_000 },
  middle: { data: 100, count: 300_000 },
  large: { data: 1000, count: 100_000 },
};
const LIMIT = 64;

/** How many connections the tester of the chapter has. */
const TESTER_CONNECTIONS = [1, 10];

/** Ways to send that wait after each. */
const WAITING = ["read", "ignored", "answered"];

/** The servers that requests without an answer go to. */
const SENT_TO = ["nodecached", "memcached"];

/** What can be measured alone. */
const PARTS = /** @type {const} */ (["noreply", "packets"]);

const values = readProgramOptions("cache", {
  quick: { type: "boolean", default: false },
  blocks: { type: "string", default: "9" },
  noreply: { type: "boolean", default: false },
  packets: { type: "boolean", default: false },
  machine: { type: "string" },
});
const part = PARTS.find((each) => values[each]);
if (part !== undefined && (values.machine === undefined || values.quick)) {
  refuse(`--${part} needs the --machine whose result it goes into, and takes no --quick.`);
}
if (part !== undefined && !existsSync(new URL(`${values.machine}/cache.json`, RESULTS))) {
  refuse(`${values.machine} has no result of cache yet.`);
}
if (values.packets && process.platform !== "linux") {
  refuse("--packets reads /proc/net/snmp, which only Linux has.");
}
const seconds = values.quick ? 1 : 2;
const blocks = values.quick ? 2 : Number(values.blocks);
if (!Number.isInteger(blocks) || blocks < 2) {
  refuse(`--blocks takes a whole number from 2, not "${values.blocks}".`);
}
const testerTurns = values.quick ? 1 : 3;
const noreplyTurns = values.quick ? 1 : 15;
const packetTurns = values.quick ? 1 : 10;

const isRoot = process.getuid?.() === 0;
const asNobody = isRoot ? ["-u", "nobody"] : [];
const memcached = (/** @type {string} */ port, /** @type {string} */ threads) => [
  ...["memcached", ...asNobody, "-U", "0", "-l", "127.0.0.1", "-p", port],
  ...["-t", threads, "-m", "1024"],
];
const node = (/** @type {string[]} */ ...args) => [process.execPath, ...args];
const ours = (/** @type {string} */ port, /** @type {string[]} */ ...more) =>
  node(`${FOLDER}server.js`, "-p", port, "-m", "1024", ...more);

/**
 * What is run and how it is asked. Where it has several ports, `command` gets
 * them with a comma in between.
 *
 * @typedef {object} Contender
 * @property {(port: string) => string[]} command
 * @property {number} [ports]
 * @property {string} [client]
 * @property {string[]} [options] the client's
 */
const contenders = /** @type {Record<string, Contender>} */ ({
  nodecached: { command: (port) => ours(port) },
  twin: { command: (port) => ours(port) },
  delayed: { command: (port) => ours(port, "--delay") },
  "delayed-ask": { command: (port) => ours(port), options: ["--delay"] },
  "npm-client": { command: (port) => ours(port), client: NPM_CLIENT },
  hashed: { command: (port) => node(`${FOLDER}cluster.js`, ...port.split(",")), ports: 2 },
  floor: { command: (port) => ours(port, "--error") },
  plain: { command: (port) => node(VARIANT, "plain", port) },
  buffers: { command: (port) => node(VARIANT, "buffers", port) },
  strings: { command: (port) => node(VARIANT, "strings", port) },
  memcached: { command: (port) => memcached(port, "1") },
  "memcached-4": { command: (port) => memcached(port, "4") },
});
const versions = /** @type {Record<string, string>} */ ({});
const memcachedVersion = outputOf("memcached", ["-V"]);
if (memcachedVersion === undefined) {
  console.error("memcached isn't here: apt-get install memcached, or brew install memcached");
  process.exit(1);
}
versions.memcached = memcachedVersion;
const YRMCDS = ["/usr/sbin/yrmcdsd", "/usr/local/sbin/yrmcdsd"].find(existsSync);
const scratch = mkdtempSync(path.join(tmpdir(), "cache-"));
process.on("exit", () => rmSync(scratch, { recursive: true, force: true }));
if (YRMCDS === undefined) {
  console.error("yrmcds isn't here, and so its rows are left out: apt-get install yrmcds");
} else {
  versions.yrmcds = outputOf(YRMCDS, ["--version"])?.split("\n")[0] ?? "not known";
  contenders.yrmcds = {
    command: (port) => {
      const file = path.join(scratch, `yrmcds-${port}.conf`);
      const settings = [
        ...(isRoot ? ["user = nobody"] : []),
        ...[`port = ${port}`, "workers = 1", "max_data_size = 1M", `temp_dir = "${scratch}"`],
      ];
      writeFileSync(file, `${settings.join("\n")}\n`);
      return [YRMCDS, "-f", file];
    },
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

/** @param {number} [count] @returns {Promise<string>} with a comma in between */
async function freePorts(count = 1) {
  const ports = new Set();
  while (ports.size < count) ports.add(await freePort());
  return [...ports].join(",");
}

/**
 * @template T
 * @param {string[]} command
 * @param {string} port or several
 * @param {(pid: number) => Promise<T>} work
 */
async function withServer(command, port, work) {
  const [file, ...args] = command;
  const child = spawn(file, args, { stdio: "ignore", cwd: FOLDER });
  const failed = once(child, "error").then(([error]) => Promise.reject(error));
  try {
    await Promise.race([Promise.all(port.split(",").map(untilItListens)), failed]);
    return await work(Number(child.pid));
  } finally {
    child.kill("SIGKILL");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  }
}

/** Of a process and those that it has started. @param {number} pid @returns {number[]} */
function familyOf(pid) {
  const children = (outputOf("pgrep", ["-P", String(pid)]) ?? "").split("\n").filter(Boolean);
  return [pid, ...children.flatMap((child) => familyOf(Number(child)))];
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
 * @param {Contender} contender
 * @param {string} port
 * @param {number} pid
 * @param {"set" | "get"} what
 */
async function load({ client: program = CLIENT, options = [] }, port, pid, what) {
  const pids = familyOf(pid);
  const used = () => pids.reduce((sum, one) => sum + cpuOf(one), 0);
  const [file, ...args] = pin("1", [process.execPath, program]);
  const client = fork(program, [port, what, String(seconds), ...options], {
    execPath: file,
    execArgv: isPinned ? args.slice(0, -1) : [],
  });
  try {
    await once(client, "message");
    const before = used();
    const [{ answered, took, busy }] = await once(client, "message");
    const microseconds = used() - before;
    return {
      microseconds: microseconds / answered,
      rate: answered / took,
      server: microseconds / took / 1e6,
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
  return withServer(contenders[name].command(port), port, async (pid) => {
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

/** How many requests one run of a way sends. @param {string} way */
function requestsOf(way) {
  return WAITING.includes(way) ? 60_000 : 200_000;
}

/**
 * Requests a second of one way to send, by load.js. `read` is its ordinary
 * set, whose answers it reads.
 *
 * @param {string} name
 * @param {string} way
 * @param {boolean} nagle
 */
async function send(name, way, nagle) {
  const port = `${await freePort()}`;
  return withServer(pin("0", contenders[name].command(port)), port, async () => {
    const options = ["-n", String(requestsOf(way)), "-t", "3"];
    if (way !== "read") options.push("--noreply", "--way", way);
    if (nagle) options.push("--delay");
    const [file, ...rest] = pin("1", [process.execPath, "load.js", port, ...options]);
    const { stdout } = await promisify(execFile)(file, rest, { cwd: FOLDER });
    const rate = Number(/(\d+) a second/.exec(stdout)?.[1]);
    if (!(rate > 0)) throw new Error(`load.js told no rate of ${name}, ${way}: ${stdout}`);
    return rate;
  });
}

/** All ways in turns, each to both servers, with Nagle's algorithm and without. */
async function sendInTurns() {
  const tries = SENT_TO.flatMap((name) =>
    WAYS.flatMap((way) => [false, true].map((nagle) => ({ name, way, nagle }))),
  );
  /** @type {CacheResult["turns"]} */
  const turns = [];
  for (let turn = 0; turn < noreplyTurns; turn++) {
    process.stderr.write(`sending without answers: turn ${turn + 1} of ${noreplyTurns}\n`);
    /** @type {CacheResult["turns"][number]} */
    const rates = { nodecached: {}, memcached: {} };
    for (const { name, way, nagle } of drawOrder(tries, random)) {
      rates[name][`${way}${nagle ? "-nagle" : ""}`] = await send(name, way, nagle);
    }
    turns.push(rates);
  }
  return turns;
}

/** TCP packets that this machine has sent, tcpOutSegs of RFC 4022. */
function packetsSent() {
  const lines = readFileSync("/proc/net/snmp", "utf8").split("\n");
  const [names, counts] = lines
    .filter((line) => line.startsWith("Tcp:"))
    .map((line) => line.split(" "));
  return Number(counts[names.indexOf("OutSegs")]);
}

/**
 * The packets for each request of at-once, those of the other end included.
 * Only Linux counts them where a program can read it.
 */
async function countPackets() {
  const tries = SENT_TO.flatMap((name) => [false, true].map((nagle) => ({ name, nagle })));
  /** @type {NonNullable<CacheResult["packets"]>} */
  const runs = [];
  for (let turn = 0; turn < packetTurns; turn++) {
    process.stderr.write(`counting packets: turn ${turn + 1} of ${packetTurns}\n`);
    for (const { name, nagle } of drawOrder(tries, random)) {
      const before = packetsSent();
      const rate = await send(name, "at-once", nagle);
      const each = (packetsSent() - before) / requestsOf("at-once");
      runs.push({ name: `${name}${nagle ? "-nagle" : ""}`, rate, each });
    }
  }
  return runs;
}

/** What load.js tells of a server, in requests a second. @param {string} name @param {number} connections */
async function runTester(name, connections) {
  const port = await freePorts();
  return withServer(pin("0", contenders[name].command(port)), port, async () => {
    const args = ["load.js", port, "-c", String(connections), "-n", "20000", "-t", "5"];
    const [file, ...rest] = pin("1", [process.execPath, ...args]);
    const { stdout } = await promisify(execFile)(file, rest, { cwd: FOLDER });
    const [set, get] = [...stdout.matchAll(/(\d+) a second/g)].map(([, rate]) => Number(rate));
    return { set, get };
  });
}

/** All servers in turns, and the median of each. */
async function runTesters() {
  const servers = ["nodecached", "memcached", "yrmcds"].filter((name) => name in contenders);
  const pairs = servers.flatMap((server) =>
    TESTER_CONNECTIONS.map((connections) => ({
      ...{ server, connections },
      runs: /** @type {{ set: number, get: number }[]} */ ([]),
    })),
  );
  for (let turn = 0; turn < testerTurns; turn++) {
    for (const { server, connections, runs } of drawOrder(pairs, random)) {
      runs.push(await runTester(server, connections));
    }
  }
  /** @type {Record<string, Record<string, { set: number, get: number }>>} */
  const told = {};
  for (const { server, connections, runs } of pairs) {
    told[server] ??= {};
    told[server][connections] = {
      set: estimate(runs.map(({ set }) => set)).median,
      get: estimate(runs.map(({ get }) => get)).median,
    };
  }
  return told;
}

/** Everything: half an hour. */
async function measureAll() {
  const startedAt = new Date().toISOString();
  const where = describeMachine();
  /** @type {Record<string, Record<"set" | "get", CacheRun>>[]} */
  const all = [];
  for (let block = 0; block < blocks; block++) {
    /** @type {Record<string, Record<"set" | "get", CacheRun>>} */
    const row = {};
    for (const name of drawOrder(Object.keys(contenders), random)) {
      process.stderr.write(`block ${block + 1} of ${blocks}: ${name}\n`);
      const contender = contenders[name];
      const port = await freePorts(contender.ports);
      row[name] = await withServer(pin("0", contender.command(port)), port, async (pid) => ({
        set: await load(contender, port, pid, "set"),
        get: await load(contender, port, pid, "get"),
      }));
    }
    all.push(row);
  }
  const derived = deriveCache(all, Object.keys(contenders));

  process.stderr.write("weighing items\n");
  /** @type {CacheResult["memory"]} */
  const memory = {};
  for (const [size, item] of Object.entries(WEIGHTS)) {
    const nodecached = await weigh("nodecached", item);
    const other = await weigh("memcached", item);
    memory[size] = { data: item.data, nodecached, memcached: other, ratio: nodecached / other };
  }
  const limitPort = `${await freePort()}`;
  const command = node(`${FOLDER}server.js`, "-p", limitPort, "-m", String(LIMIT));
  const limit = { mebibytes: LIMIT, ...(await overfill(command, limitPort)) };
  const turns = await sendInTurns();
  const packets = process.platform === "linux" ? await countPackets() : undefined;

  process.stderr.write("asking by load.js\n");
  const tester = await runTesters();

  return {
    suite: "cache",
    startedAt,
    command: `npm run bench -- cache --blocks ${blocks} --machine ${values.machine}`,
    node: process.version,
    versions,
    where,
    isPinned,
    isPublishable: !values.quick,
    seconds,
    goals: judgeCache({ derived, memory }),
    derived,
    memory,
    limit,
    ...deriveNoreply(turns),
    turns,
    packets,
    tester,
    runs: all,
  };
}

/**
 * @param {string} why
 * @returns {never}
 */
function refuse(why) {
  console.error(why);
  process.exit(1);
}

/**
 * A result that is there, with one part measured anew. It keeps when that was.
 *
 * @param {string} machine
 * @param {(typeof PARTS)[number]} name
 */
async function measureAgain(machine, name) {
  const file = new URL(`${machine}/cache.json`, RESULTS);
  const result = JSON.parse(readFileSync(file, "utf8"));
  const { cpu, processor } = describeMachine();
  const isSame =
    result.node === process.version &&
    result.where.cpu === cpu &&
    result.where.processor === processor &&
    result.isPinned === isPinned;
  if (!isSame) refuse(`${machine}'s result is another machine's or another Node's: measure all.`);
  const apart = { ...result.apart, [name]: new Date().toISOString() };
  if (name === "packets") return { ...result, packets: await countPackets(), apart };
  const turns = await sendInTurns();
  return { ...result, ...deriveNoreply(turns), turns, apart };
}

await ensureDependencies(
  fileURLToPath(new URL("cache-npm/", import.meta.url)),
  "Installing npm's memcached",
);
const random = seededRandom(28);
const result =
  part === undefined ? await measureAll() : await measureAgain(`${values.machine}`, part);
const text = formatCache(result);
console.log(text);
if (Object.values(result.goals).includes("no")) process.exitCode = 1;
if (values.machine !== undefined) {
  const folder = new URL(`${values.machine}/`, RESULTS);
  mkdirSync(folder, { recursive: true });
  writeFileSync(new URL("cache.json", folder), `${JSON.stringify(result, null, 2)}\n`);
  writeFileSync(new URL("cache.txt", folder), `${text}\n`);
}

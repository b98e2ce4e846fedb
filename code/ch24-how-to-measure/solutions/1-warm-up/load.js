import { Agent, get } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";
import { parseArgs } from "node:util";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    connections: { type: "string", default: "16" },
    rate: { type: "string" },
    seconds: { type: "string", default: "3" },
    "warm-up": { type: "string", default: "0" },
  },
});
const [url] = positionals;
if (url === undefined) throw new Error("load.js needs a URL to ask");
const connections = Number(values.connections);
const maxSockets = values.rate ? 256 : connections;
const agent = new Agent({ keepAlive: true, maxSockets });

function ask() {
  return new Promise((resolve, reject) => {
    const req = get(url, { agent }, (res) => {
      res.on("error", reject);
      res.on("end", resolve);
      res.resume();
    });
    req.on("error", reject);
    if (!values.rate) return;
    const giveUp = () => req.destroy(new Error("no answer in a second"));
    const timer = setTimeout(giveUp, 1000);
    req.on("close", () => clearTimeout(timer));
  });
}

const latencies = [];
const begin = performance.now();
const start = begin + Number(values["warm-up"]) * 1000;
const end = start + Number(values.seconds) * 1000;
const late = [];
let neverAsked = 0;
const failures = new Map();
const WORDS = {
  ECONNREFUSED: "nobody listens there",
  ECONNRESET: "the connection was cut off",
  EMFILE: "this program may open no more files",
};

/** Counts a request by when it was asked: what the warm-up asked is left out. */
async function askAndNote(since) {
  const counts = since >= start;
  try {
    await ask();
    if (counts) latencies.push(performance.now() - since);
  } catch (err) {
    if (!counts) return;
    const why = WORDS[err.code] ?? err.message;
    failures.set(why, (failures.get(why) ?? 0) + 1);
  }
}

async function askAgainAndAgain() {
  while (performance.now() < end) await askAndNote(performance.now());
}

async function askByTheClock(perSecond) {
  const answers = [];
  for (let due = begin; due < end; due += 1000 / perSecond) {
    if (performance.now() - due > 1000) {
      if (due >= start) neverAsked += 1;
      continue;
    }
    do {
      await nextTurn();
    } while (performance.now() < due);
    if (due >= start) late.push(performance.now() - due);
    answers.push(askAndNote(due));
  }
  await Promise.all(answers);
}

if (values.rate) {
  await askByTheClock(Number(values.rate));
} else {
  await Promise.all(Array.from({ length: connections }, askAgainAndAgain));
}
const seconds = (performance.now() - start) / 1000;

function percentile(sorted, p) {
  const index = Math.ceil((p / 100) * sorted.length) - 1;
  return `${sorted[index].toFixed(1)} ms`;
}

function report() {
  latencies.sort((a, b) => a - b);
  const rate = latencies.length / seconds;
  console.log(`${latencies.length} requests, ${rate.toFixed(0)} a second`);
  const at = (p) => percentile(latencies, p);
  console.log(`p50 ${at(50)}, p99 ${at(99)}, max ${at(100)}`);
  const mean =
    latencies.reduce((sum, one) => sum + one, 0) / latencies.length;
  const underWay = (rate * mean) / 1000;
  console.log(`rate times mean latency: ${underWay.toFixed(1)}`);
  if (values.rate) {
    late.sort((a, b) => a - b);
    const at = (p) => percentile(late, p);
    console.log(`asked late: p99 ${at(99)}, max ${at(100)}`);
    if (neverAsked > 0) {
      console.log(`${neverAsked} were never asked: a second late`);
    }
  } else {
    const { user, system } = process.cpuUsage();
    const share = (user + system) / 10 / performance.now();
    console.log(`load.js took ${share.toFixed(0)} % of a core`);
  }
}

if (latencies.length > 0) report();
for (const [why, count] of failures) {
  console.error(`${count} requests failed: ${why}`);
  process.exitCode = 1;
}
agent.destroy();

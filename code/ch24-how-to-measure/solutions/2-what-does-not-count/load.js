import { Agent, get } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";
import { parseArgs } from "node:util";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    connections: { type: "string", default: "16" },
    rate: { type: "string" },
    seconds: { type: "string", default: "3" },
  },
});
const [url] = positionals;
const connections = Number(values.connections);
const agent = new Agent({ keepAlive: true });

/** Resolves to the status, or to `broken`. */
function ask() {
  return new Promise((resolve) => {
    const req = get(url, { agent }, (res) => {
      res.on("error", () => resolve("broken"));
      res.on("end", () => resolve(res.statusCode));
      res.resume();
    });
    req.on("error", () => resolve("broken"));
  });
}

const latencies = [];
const failures = new Map();
const start = performance.now();
const end = start + Number(values.seconds) * 1000;

function note(outcome, asked) {
  if (outcome >= 200 && outcome < 300) {
    latencies.push(performance.now() - asked);
  } else {
    failures.set(outcome, (failures.get(outcome) ?? 0) + 1);
  }
}

async function askAgainAndAgain() {
  while (performance.now() < end) {
    const asked = performance.now();
    note(await ask(), asked);
  }
}

async function askByTheClock(perSecond) {
  const answers = [];
  for (let due = start; due < end; due += 1000 / perSecond) {
    while (performance.now() < due) await nextTurn();
    answers.push(ask().then((outcome) => note(outcome, due)));
  }
  await Promise.all(answers);
}

if (values.rate) {
  await askByTheClock(Number(values.rate));
} else {
  await Promise.all(Array.from({ length: connections }, askAgainAndAgain));
}
const seconds = (performance.now() - start) / 1000;

function percentile(p) {
  const index = Math.ceil((p / 100) * latencies.length) - 1;
  return `${latencies[index].toFixed(1)} ms`;
}

if (latencies.length > 0) {
  latencies.sort((a, b) => a - b);
  const rate = latencies.length / seconds;
  console.log(`${latencies.length} requests, ${rate.toFixed(0)} a second`);
  console.log(
    `p50 ${percentile(50)}, p99 ${percentile(99)}, max ${percentile(100)}`,
  );
  const mean =
    latencies.reduce((sum, one) => sum + one, 0) / latencies.length;
  console.log(
    `rate times mean latency: ${((rate * mean) / 1000).toFixed(1)}`,
  );
}
for (const [outcome, count] of failures) {
  const what =
    outcome === "broken" ? "connections broke" : `answers were ${outcome}`;
  console.error(`${count} ${what}`);
}
if (failures.size > 0) process.exitCode = 1;
agent.destroy();

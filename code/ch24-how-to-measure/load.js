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
if (url === undefined) throw new Error("load.js needs a URL to ask");
const connections = Number(values.connections);
const agent = new Agent({ keepAlive: true });

function ask() {
  return new Promise((resolve, reject) => {
    const req = get(url, { agent }, (res) => {
      res.on("error", reject);
      res.on("end", resolve);
      res.resume();
    });
    req.on("error", reject);
  });
}

const latencies = [];
const start = performance.now();
const end = start + Number(values.seconds) * 1000;

async function askAgainAndAgain() {
  while (performance.now() < end) {
    const asked = performance.now();
    await ask();
    latencies.push(performance.now() - asked);
  }
}

async function askByTheClock(perSecond) {
  const answers = [];
  for (let due = start; due < end; due += 1000 / perSecond) {
    while (performance.now() < due) await nextTurn();
    answers.push(ask().then(() => latencies.push(performance.now() - due)));
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
agent.destroy();

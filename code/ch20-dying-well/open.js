import http from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rate: { type: "string", default: "100" },
    seconds: { type: "string", default: "5" },
    deadline: { type: "string", default: "200" },
    close: { type: "boolean", default: false },
  },
});
const [rate, seconds] = [Number(values.rate), Number(values.seconds)];
const PATIENCE = 1000;
const agent = new http.Agent({ keepAlive: !values.close });
const counts = Array.from({ length: seconds }, () => {
  return { good: 0, late: 0, refused: 0, failed: 0 };
});
const latencies = [];

function ask(due, count) {
  const settle = (how) => {
    count[how] += 1;
    clearTimeout(timer);
  };
  const request = http.get(positionals[0], { agent }, (response) => {
    response.on("error", () => settle("failed"));
    response.resume().on("end", () => {
      const latency = performance.now() - due;
      if (response.statusCode === 503) return settle("refused");
      if (response.statusCode !== 200) return settle("failed");
      latencies.push(latency);
      settle(latency <= Number(values.deadline) ? "good" : "late");
    });
  });
  request.on("error", () => settle("failed"));
  const timer = setTimeout(() => request.destroy(), PATIENCE);
}

const start = performance.now();
for (let sent = 0; sent < rate * seconds; ) {
  const due = start + (sent / rate) * 1000;
  if (performance.now() < due) {
    await sleep(1);
  } else {
    ask(due, counts[Math.floor(sent / rate)]);
    sent += 1;
  }
}
await sleep(PATIENCE + 100);
for (const [second, count] of counts.entries()) {
  const bar = "#".repeat(Math.round((count.good / rate) * 30));
  const words = Object.entries(count).map((entry) => entry.join(" "));
  console.log(`${second + 1}: ${words.join(", ")} ${bar}`);
}
latencies.sort((a, b) => a - b);
const at = (share) => latencies[Math.floor(share * latencies.length)] ?? 0;
console.log(`p50 ${at(0.5).toFixed(0)} ms, p99 ${at(0.99).toFixed(0)} ms`);
agent.destroy();

import { parseArgs } from "node:util";
import { load } from "./load.js";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    connections: { type: "string", default: "100" },
    seconds: { type: "string", default: "8" },
    "warm-up": { type: "string", default: "0" },
  },
});
const [url] = positionals;
const connections = Number(values.connections);
const seconds = Number(values.seconds);
const warmUp = Number(values["warm-up"]);

if (warmUp > 0) await load(url, { connections, seconds: warmUp });

const start = performance.now();
const answered = {};
let next = 1;

function report() {
  const counts = Object.entries(answered).map(
    ([status, count]) =>
      `${count} times ${status}, ${Math.round(count / next)}/s`,
  );
  console.log(`after ${next} s: ${counts.join("; ")}`);
  next *= 2;
}

await load(url, {
  connections,
  seconds,
  onAnswer(status) {
    while (performance.now() - start >= next * 1000) report();
    answered[status] = (answered[status] ?? 0) + 1;
  },
});
while (next <= seconds) report();

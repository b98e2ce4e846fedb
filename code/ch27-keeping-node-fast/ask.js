import { parseArgs } from "node:util";
import { load } from "./load.js";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    connections: { type: "string", default: "100" },
    seconds: { type: "string", default: "8" },
  },
});
const [url] = positionals;
const seconds = Number(values.seconds);
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
  connections: Number(values.connections),
  seconds,
  onAnswer(status) {
    while (performance.now() - start >= next * 1000) report();
    answered[status] = (answered[status] ?? 0) + 1;
  },
});
while (next <= seconds) report();

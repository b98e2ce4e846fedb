import { parseArgs } from "node:util";
import { measure } from "./measure.js";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "2" },
    remembers: { type: "boolean" },
  },
});
const [path, first, ...others] = positionals;
const seconds = Number(values.seconds);
const { remembers } = values;
// The first is measured twice: what lies between the two is noise.
const rows = [first, first, ...others].map((file) => ({ file, runs: [] }));

for (let round = 0; round < Number(values.rounds); round += 1) {
  const lots = new Map(rows.map((row) => [row, Math.random()]));
  for (const row of [...rows].sort((a, b) => lots.get(a) - lots.get(b))) {
    row.runs.push(await measure(row.file, path, { seconds, remembers }));
  }
}

function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

for (const { file, runs } of rows) {
  const cost = median(runs.map((run) => run.cost));
  const rate = median(runs.map((run) => run.rate));
  const ratios = runs.map(
    (run, round) => run.cost / rows[0].runs[round].cost,
  );
  const from = Math.min(...ratios).toFixed(2);
  const to = Math.max(...ratios).toFixed(2);
  console.log(
    `${file.padEnd(14)} ${cost.toFixed(1).padStart(6)} µs,` +
      ` ${rate.toFixed(0).padStart(6)}/s,` +
      ` ${median(ratios).toFixed(2)} (${from} to ${to})`,
  );
}

import { parseArgs } from "node:util";
import { statusesOf } from "./load.js";
import { measure } from "./measure.js";
import { startServer } from "./outside.js";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: "string", default: "12" },
    seconds: { type: "string", default: "1" },
    remembers: { type: "boolean" },
  },
});
const [path, first, ...others] = positionals;
const rounds = Number(values.rounds);
const seconds = Number(values.seconds);
const { remembers } = values;
const rows = [];

async function measureRound() {
  for (const row of rows) row.lot = Math.random();
  for (const row of [...rows].sort((a, b) => a.lot - b.lot)) {
    row.runs.push(await measure(row.server, path, { seconds, remembers }));
  }
}

function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return (sorted[Math.floor(middle)] + sorted[Math.ceil(middle)]) / 2;
}

try {
  for (const file of [first, first, ...others]) {
    rows.push({ file, server: await startServer(file), runs: [] });
  }
  await measureRound();
  for (const row of rows) row.runs = [];
  for (let round = 1; round <= rounds; round += 1) {
    await measureRound();
  }
} finally {
  await Promise.all(rows.map(({ server }) => server.stop()));
}

for (const { file, runs } of rows) {
  const cost = median(runs.map((run) => run.cost));
  const rate = median(runs.map((run) => run.rate));
  const counts = Object.assign({}, ...runs.map((run) => run.counts));
  const ratios = runs
    .map((run, round) => run.cost / rows[0].runs[round].cost)
    .sort((a, b) => a - b);
  const cut = Math.floor(ratios.length / 6);
  const from = ratios[cut].toFixed(2);
  const to = ratios[ratios.length - 1 - cut].toFixed(2);
  console.log(
    `${file.padEnd(14)} ${cost.toFixed(1).padStart(6)} µs,` +
      ` ${rate.toFixed(0).padStart(6)}/s,` +
      ` ${median(ratios).toFixed(2)} (${from} to ${to}),` +
      ` ${statusesOf(counts)}`,
  );
  const isTwin = runs === rows[1].runs;
  if (isTwin && (Number(from) > 1 || Number(to) < 1)) {
    console.log("LOOK: THE TWINS DIFFER, MEASURE AGAIN");
  }
}

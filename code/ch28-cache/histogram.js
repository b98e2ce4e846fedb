const STEPS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, Infinity];

/** Says how many there were, how fast, and what a few of them took. */
export function describe(name, latencies, milliseconds) {
  const { length } = latencies;
  if (length === 0) throw new Error(`${name}: no answer came in time`);
  latencies.sort((a, b) => a - b);
  const rate = ((length / milliseconds) * 1000).toFixed(0);
  console.log(`${name}: ${length} requests, ${rate} a second`);
  const at = (share) => latencies[Math.ceil(length * share) - 1].toFixed(2);
  console.log(`p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, max ${at(1)} ms`);
}

/** Draws how the latencies spread. */
export function draw(latencies) {
  let before = 0;
  for (const step of STEPS) {
    const count = latencies.filter((one) => one < step).length;
    const share = count / latencies.length;
    const here = share - before;
    before = share;
    if (here === 0) continue;
    const bar = "#".repeat(Math.ceil(here * 40));
    const label = step === Infinity ? "more" : `< ${step} ms`;
    const percent = (here * 100).toFixed(1).padStart(5);
    console.log(`${label.padStart(9)} ${percent} % ${bar}`);
  }
}

import { setTimeout as sleep } from "node:timers/promises";
import { simulateHosts } from "./lib/simulation/hosts.js";
import { exponential } from "./lib/simulation/random.js";

const url = `http://127.0.0.2:${process.env.PORT ?? 3000}/work`;
const SECONDS = 10;

async function ask() {
  const start = performance.now();
  const response = await fetch(url);
  await response.text();
  return performance.now() - start;
}

async function measureCapacity() {
  const end = performance.now() + SECONDS * 1000;
  let count = 0;
  const askOn = async () => {
    for (; performance.now() < end; count += 1) await ask();
  };
  await Promise.all(Array.from({ length: 8 }, askOn));
  return count / SECONDS;
}

async function measure(rate) {
  const asked = [];
  const start = performance.now();
  let at = 0;
  while (at < SECONDS * 1000) {
    at += exponential(1000 / rate, Math.random);
    await sleep(Math.max(0, start + at - performance.now()));
    asked.push(ask());
  }
  const times = await Promise.all(asked);
  const sorted = times.sort((a, b) => a - b);
  const percentile = sorted[Math.ceil(times.length * 0.99) - 1];
  return { percentile, count: times.length };
}

// As many visitors as there were, 99 times, each time with other chances.
function simulate(model) {
  const seeds = Array.from({ length: 99 }, (_, i) => i + 1);
  const times = seeds.map((seed) => {
    return simulateHosts({ ...model, seed }).percentile(0.99);
  });
  times.sort((a, b) => a - b);
  return { least: times[2], middle: times[49], most: times[96] };
}

const capacity = await measureCapacity();
console.log(`requests a second: ${capacity.toFixed(0)}`);
for (const busy of [0.5, 0.7, 0.8, 0.9, 0.95]) {
  const rate = busy * capacity;
  const { percentile, count } = await measure(rate);
  const service = 1000 / capacity;
  const played = simulate({ service, rate, requests: count });
  const times = [percentile, played.middle, played.least, played.most];
  const [measured, middle, least, most] = times.map(Math.round);
  const range = `simulated ${middle} (${least} to ${most})`;
  console.log(`${busy}: ${measured} ms, ${range}`);
}

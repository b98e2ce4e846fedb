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
  return times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)];
}

const capacity = await measureCapacity();
console.log(`requests a second: ${capacity.toFixed(0)}`);
for (const busy of [0.5, 0.7, 0.8, 0.9, 0.95]) {
  const rate = busy * capacity;
  const measured = await measure(rate);
  const model = { service: 1000 / capacity, rate, requests: 500_000 };
  const simulated = simulateHosts(model).percentile(0.99);
  const texts = [measured, simulated].map((time) => time.toFixed(0));
  console.log(`${busy}: ${texts[0]} ms, simulated ${texts[1]} ms`);
}

import { simulateHosts } from "./lib/simulation/hosts.js";

const HOSTS = 12;
const SECONDS = 40;
const SPAN = 5;

function play(busy, tries, budget) {
  const rate = busy * HOSTS * 200;
  const { good } = simulateHosts({
    ...{ hosts: HOSTS, service: 5, rate, requests: rate * SECONDS },
    ...{ patience: 500, tries, budget },
    lost: { hosts: HOSTS / 3, from: 10_000, until: 20_000 },
  });
  const texts = [];
  for (let second = 0; second < SECONDS; second += SPAN) {
    const counts = good.slice(second, second + SPAN);
    const answered = counts.reduce((a, b) => a + b, 0) / (rate * SPAN);
    texts.push((answered * 100).toFixed(0).padStart(5));
  }
  return texts.join("");
}

for (const busy of [0.6, 0.8]) {
  console.log(`${busy * 100} % busy`);
  console.log("one try   ", play(busy, 1, 0));
  console.log("three     ", play(busy, 3, Infinity));
  console.log("budget 0.1", play(busy, 3, 0.1));
}

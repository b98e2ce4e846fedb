import { simulateHosts } from "./lib/simulation/hosts.js";

const HOSTS = 12;
const SECONDS = 40;
const SPAN = 5;

function play(busy, visitors) {
  const rate = busy * HOSTS * 200;
  const { good } = simulateHosts({
    hosts: HOSTS,
    service: 5,
    rate,
    requests: rate * SECONDS,
    lost: { hosts: HOSTS / 3, from: 10_000, until: 20_000 },
    ...visitors,
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
  console.log("patient   ", play(busy, {}));
  const patience = 500;
  console.log("one try   ", play(busy, { patience }));
  const again = { patience, tries: 3 };
  console.log("three     ", play(busy, again));
  console.log("budget 0.3", play(busy, { ...again, budget: 0.3 }));
  console.log("budget 0.1", play(busy, { ...again, budget: 0.1 }));
}

import { simulateHosts } from "./lib/simulation/hosts.js";

const SIZES = [1, 2, 3, 10, 100];

for (const way of ["turns", "least"]) {
  console.log(way.padEnd(7), SIZES.map((n) => `${n}`.padStart(6)).join(""));
  for (const busy of [0.5, 0.7, 0.8, 0.9, 0.95]) {
    const times = SIZES.map((hosts) => {
      const rate = busy * hosts * 200;
      const requests = 40_000;
      const model = { hosts, way, service: 5, rate, requests };
      return simulateHosts(model).percentile(0.99);
    });
    const texts = times.map((time) => time.toFixed(0).padStart(6));
    console.log(`${busy * 100} %`.padEnd(7), texts.join(""));
  }
}

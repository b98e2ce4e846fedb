import process from "node:process";

const WARM_UP = 700;

/**
 * Tells a client's parent when the load begins, and at its end how many
 * requests were answered and how long the client itself was busy.
 *
 * @param {() => number} countOf how many so far
 * @param {number} seconds
 */
export function report(countOf, seconds) {
  process.on("message", () => process.exit());
  setTimeout(() => {
    const before = countOf();
    const start = performance.now();
    const cpu = process.cpuUsage();
    process.send?.({ at: "start" });
    setTimeout(() => {
      const took = (performance.now() - start) / 1000;
      const { user, system } = process.cpuUsage(cpu);
      const busy = (user + system) / 1e6 / took;
      process.send?.({ at: "end", answered: countOf() - before, took, busy });
    }, seconds * 1000);
  }, WARM_UP);
}

import fs from "node:fs";
import { constants, PerformanceObserver } from "node:perf_hooks";
import { fileURLToPath } from "node:url";

const { PAUSES } = process.env;

function record(file) {
  fs.writeFileSync(file, "");
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { startTime, duration, detail } = /** @type {any} */ (entry);
      const at = performance.timeOrigin + startTime;
      fs.appendFileSync(file, `${[at, detail.kind, duration].join()}\n`);
    }
  });
  observer.observe({ entryTypes: ["gc"] });
}

/** Reads the pauses that a file tells of. */
export function readPauses(file) {
  const lines = fs.readFileSync(file, "utf8").split("\n").slice(0, -1);
  return lines.map((line) => {
    const [at, kind, ms] = line.split(",").map(Number);
    return { at, ms, isShort: kind === constants.NODE_PERFORMANCE_GC_MINOR };
  });
}

if (PAUSES) record(PAUSES);

function tell(name, pauses) {
  const ms = pauses.map((pause) => pause.ms).sort((a, b) => a - b);
  const middle = ms[Math.floor(ms.length / 2)] ?? 0;
  const [half, most] = [middle, ms.at(-1) ?? 0].map((each) => each.toFixed(1));
  console.log(`${name}: ${ms.length}, half above ${half} ms, at most ${most}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [file, seconds] = process.argv.slice(2);
  const all = readPauses(file);
  const start = (all.at(-1)?.at ?? 0) - Number(seconds) * 1000;
  const late = all.filter(({ at }) => at >= start);
  tell("scavenges", late.filter(({ isShort }) => isShort));
  tell("others", late.filter(({ isShort }) => !isShort));
}

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
    const isShort = kind === constants.NODE_PERFORMANCE_GC_MINOR;
    return { at, ms, isShort };
  });
}

if (PAUSES) record(PAUSES);

function tell(name, pauses) {
  const ms = pauses.map((pause) => pause.ms).sort((a, b) => a - b);
  if (ms.length === 0) return console.log(`${name}: none`);
  const median = ms[Math.floor(ms.length / 2)].toFixed(1);
  const most = ms[ms.length - 1].toFixed(1);
  const words = `median ${median} ms, at most ${most}`;
  console.log(`${name}: ${ms.length}, ${words}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [seconds, file = "pauses.csv"] = process.argv.slice(2);
  const all = readPauses(file);
  const start = (all.at(-1)?.at ?? 0) - Number(seconds) * 1000;
  const late = all.filter(({ at }) => at >= start);
  const of = (isShort) => late.filter((pause) => pause.isShort === isShort);
  tell("scavenges", of(true));
  tell("others", of(false));
}

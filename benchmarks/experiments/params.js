// What it costs to make req.params in three ways: each way is put into a copy
// of chapter 9's velocy, and bench.js measures the copies in turn. Prints
// each copy's smallest time of eleven rounds, in nanoseconds:
// node benchmarks/experiments/params.js
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { runToEnd } from "../lib/processes.js";
import { formatNumber, formatTable } from "../lib/table.js";

const rounds = 11;
const milestone = fileURLToPath(
  new URL("../../code/ch09-parameters-and-wildcards", import.meta.url),
);
const chosen = "Object.create(paramsPrototype)";
const ways = ["{}", "{ __proto__: null }", chosen];

/**
 * @param {string} folder
 * @param {string} way
 */
function copyWith(folder, way) {
  for (const name of ["bench.js", "index.js", "lib", "package.json"]) {
    cpSync(path.join(milestone, name), path.join(folder, name), { recursive: true });
  }
  const file = path.join(folder, "lib/router/match.js");
  const source = readFileSync(file, "utf8");
  const line = `const params = ${chosen};`;
  if (!source.includes(line)) throw new Error(`${file} has no ${line}`);
  writeFileSync(file, source.replace(line, `const params = ${way};`));
}

/**
 * @param {string} folder
 * @returns {Promise<[string, number][]>} "10 routes" and nanoseconds
 */
async function measure(folder) {
  const { stdout } = await runToEnd([process.execPath, "bench.js"], { cwd: folder });
  return Array.from(stdout.matchAll(/^(\d+ routes): ([\d.]+) ns$/gm), ([, name, time]) => {
    return [name, Number(time)];
  });
}

const home = mkdtempSync(path.join(tmpdir(), "params-"));
try {
  const copies = ways.map((way, i) => {
    const folder = path.join(home, String(i));
    copyWith(folder, way);
    return { way, folder, times: /** @type {Map<string, number>} */ (new Map()) };
  });
  for (let round = 1; round <= rounds; round++) {
    if (process.stderr.isTTY) console.error(`round ${round} of ${rounds}`);
    for (const { folder, times } of copies) {
      for (const [name, time] of await measure(folder)) {
        times.set(name, Math.min(time, times.get(name) ?? Infinity));
      }
    }
  }
  const rows = [["nanoseconds", ...copies[0].times.keys()]];
  for (const { way, times } of copies) {
    rows.push([way, ...Array.from(times.values(), (time) => formatNumber(time))]);
  }
  const numbers = rows[0].slice(1).map(() => /** @type {const} */ ("right"));
  console.log(formatTable(rows, ["left", ...numbers]));
} finally {
  rmSync(home, { recursive: true });
}

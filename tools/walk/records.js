import { createHash } from "node:crypto";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** Beside the measurements: what each was made by. */
const FILE = "made-by.json";

/**
 * What made a measurement.
 *
 * @typedef {object} MeasurementRecord
 * @property {string} command
 * @property {Record<string, string>} files  the SHA-256 of each file that the
 *   command names
 */

/**
 * @param {string} command
 * @param {string} folder  where it runs
 * @returns {MeasurementRecord}
 */
export function madeBy(command, folder) {
  /** @type {Record<string, string>} */
  const files = {};
  for (const word of command.split(/[\s'"|;]+/)) {
    const path = join(folder, word);
    if (word === "" || !existsSync(path) || !statSync(path).isFile()) continue;
    files[word] = createHash("sha256").update(readFileSync(path)).digest("hex");
  }
  return { command, files };
}

/**
 * @param {string} root
 * @param {string} raw  the measurement's path from there
 * @returns {MeasurementRecord | undefined}
 */
export function recordOf(root, raw) {
  return readRecords(root, raw)[basename(raw)];
}

/**
 * @param {string} root
 * @param {string} raw
 * @param {MeasurementRecord} record
 */
export function writeRecord(root, raw, record) {
  const records = { ...readRecords(root, raw), [basename(raw)]: record };
  const names = Object.keys(records).sort();
  const sorted = Object.fromEntries(names.map((name) => [name, records[name]]));
  writeFileSync(join(root, dirname(raw), FILE), `${JSON.stringify(sorted, null, 2)}\n`);
}

/**
 * @param {string} root
 * @param {string} raw
 * @returns {Record<string, MeasurementRecord>}
 */
function readRecords(root, raw) {
  const path = join(root, dirname(raw), FILE);
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {};
}

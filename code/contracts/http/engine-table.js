/**
 * Prints, as Markdown, what the engine and node:http do otherwise; the tests
 * of chapter 22 hold both tables against the two servers.
 *
 *     node engine-table.js          the contract's cases, a row for a reason
 *     node engine-table.js --most 8 only the reasons with the most cases
 *     node engine-table.js --all    a row for a case
 *     node engine-table.js --kinds  what requests by chance have shown
 */
import { cases } from "./cases.js";
import { DIFFERENCES } from "./engine-differences.js";
import { KINDS } from "./engine-kinds.js";

/** @param {string[][]} rows the first is the header */
function print([header, ...rows]) {
  const lines = [header, header.map(() => "---"), ...rows];
  for (const cells of lines)
    console.log(`| ${cells.map(cell).join(" | ")} |`);
}

/** @param {string} text */
const cell = (text) =>
  text
    .replaceAll("|", "\\|")
    .replaceAll("__proto__", "`__proto__`")
    .replace(/^\*$/, "\\*");

/** @param {string} name */
function sectionOf(name) {
  const section = cases.find((aCase) => aCase.name === name)?.section ?? "";
  return section.replace("RFC ", "").replace("section ", "");
}

/** @param {string} words such as "200, closes" */
const short = (words) => words.replace(/;.*/, "");

/** @param {(typeof DIFFERENCES)[number]} row what node:http does, and where */
const ofNode = ({ nodeHttp, only }) =>
  short(nodeHttp) + (only === undefined ? "" : ` (Node ${only} alone)`);

/** @param {string[]} list */
const each = (list) => [...new Set(list)].join("; ");

if (process.argv.includes("--kinds")) {
  print([
    ["The engine …", "RFC"],
    ...KINDS.map(({ what, reason }) => [
      what,
      reason.replace("RFC ", "").replace("section ", ""),
    ]),
  ]);
} else if (process.argv.includes("--all")) {
  print([
    ["Case", "RFC", "node:http", "engine"],
    ...DIFFERENCES.map((row) => [
      row.name,
      sectionOf(row.name),
      ofNode(row),
      short(row.engine),
    ]),
  ]);
} else {
  /** @type {Map<string, typeof DIFFERENCES>} */
  const byReason = new Map();
  for (const row of DIFFERENCES)
    byReason.set(row.reason, [...(byReason.get(row.reason) ?? []), row]);
  const option = process.argv.indexOf("--most");
  const reasons =
    option === -1
      ? [...byReason]
      : [...byReason]
          .sort(([, one], [, other]) => other.length - one.length)
          .slice(0, Number(process.argv[option + 1]));
  print([
    ["Why", "RFC", "node:http", "engine", "cases"],
    ...reasons.map(([reason, rows]) => [
      reason,
      each(rows.map(({ name }) => sectionOf(name))),
      each(rows.map(ofNode)),
      each(rows.map(({ engine }) => short(engine))),
      String(rows.length),
    ]),
  ]);
}

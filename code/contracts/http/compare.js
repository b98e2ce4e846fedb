/**
 * Prints, as Markdown, the cases of the contract that node:http answers
 * otherwise than the book's own server:
 *
 *     node compare.js            a table for each group of cases
 *     node compare.js --summary  how many there are in each group
 */
import { pathToFileURL } from "node:url";
import { cases, groups } from "./cases.js";
import { Servers } from "./http-contract.js";
import { createServer as createNodeServer } from "./node-http.js";
import { findFaults, observe } from "./run-case.js";
import { startServer } from "./start.js";

/**
 * @typedef {import("./cases/building-blocks.js").GroupedCase} GroupedCase
 *
 * @typedef {object} Difference
 * @property {GroupedCase} aCase
 * @property {string} ours
 * @property {string} theirs
 */

const OUR_SERVER = "../../ch04-never-trust-a-client/lib/server.js";
const OUR_HANDLER =
  "../../ch04-never-trust-a-client/lib/describe-request.js";

/** How many cases run at once. */
const CONCURRENCY = 48;
/**
 * For an answer that never comes, in milliseconds. Node lets an idle
 * connection live for a second more than it was told.
 */
const PATIENCE = 2000;

/**
 * @param {import("./start.js").Start} startOurs
 * @param {import("./start.js").Start} startTheirs
 * @param {GroupedCase[]} [chosen]
 * @returns {Promise<Difference[]>} in the order of the cases; without those
 *   in which the RFC leaves a choice, and each has made another
 */
export async function compare(startOurs, startTheirs, chosen = cases) {
  const ours = new Servers(startOurs);
  const theirs = new Servers(startTheirs);
  try {
    const all = await inParallel(chosen, async (aCase) => {
      const both = await Promise.all([
        answerOf(ours, aCase),
        answerOf(theirs, aCase),
      ]);
      return { aCase, ...difference(...both) };
    });
    return all.filter((both) => both.ours !== both.theirs);
  } finally {
    await Promise.all([ours.close(), theirs.close()]);
  }
}

/** @typedef {{ words: string, faults: string[] }} Answer */

/**
 * What a server does with a case, in a few words.
 *
 * @param {Servers} servers
 * @param {GroupedCase} aCase
 * @returns {Promise<Answer>}
 */
async function answerOf(servers, aCase) {
  const address = await servers.for(aCase);
  const seen = await observe(aCase, address, { patience: PATIENCE });
  // Whether a client sees a close or a reset is a matter of when it sends
  // its next byte, and differs from run to run.
  const ending = seen.ending === "reset" ? "closed" : seen.ending;
  const { responses } = seen;
  const statuses = responses.map(({ status }) => status).join(", ");
  return {
    words: (statuses || "no answer") + (ENDINGS[ending] ?? ""),
    faults: findFaults(aCase, { ...seen, ending }),
  };
}

/** @type {Record<string, string>} */
const ENDINGS = {
  closed: ", closes",
  silent: ", waits for more",
};

/**
 * @param {Answer} ours
 * @param {Answer} theirs
 * @returns {{ ours: string, theirs: string }}
 */
function difference(ours, theirs) {
  const isRightBoth = ours.faults.length + theirs.faults.length === 0;
  if (isRightBoth) return { ours: ours.words, theirs: ours.words };
  if (ours.words !== theirs.words) {
    return { ours: ours.words, theirs: theirs.words };
  }
  // The same statuses, and not the same answer.
  return { ours: withFaults(ours), theirs: withFaults(theirs) };
}

/** @param {Answer} answer */
function withFaults({ words, faults }) {
  const details = faults.map((fault) =>
    fault.replace(/^response \d+: /, "").replace(/, not .*$/, ""),
  );
  return [words, ...details].join("; ");
}

/**
 * @template Item, Result
 * @param {Item[]} items
 * @param {(item: Item) => Promise<Result>} work
 * @returns {Promise<Result[]>}
 */
async function inParallel(items, work) {
  /** @type {Result[]} */
  const results = [];
  const left = items.entries();
  const worker = async () => {
    for (const [i, item] of left) results[i] = await work(item);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  return results;
}

/** @param {Difference[]} differences */
function tables(differences) {
  const parts = [];
  for (const group of groups) {
    const rows = differences.filter(({ aCase }) => aCase.group === group);
    if (rows.length === 0) continue;
    parts.push(
      table(
        [`${capital(group)}: our server …`, "RFC", "ours", "`node:http`"],
        rows.map(({ aCase, ours, theirs }) => [
          aCase.name,
          aCase.section.replace("RFC ", "").replace("section ", ""),
          ours,
          theirs,
        ]),
      ),
    );
  }
  return parts.join("\n\n");
}

/** @param {Difference[]} differences */
function summary(differences) {
  const rows = groups.map((group) => {
    const isOfGroup = (/** @type {GroupedCase} */ aCase) =>
      aCase.group === group;
    const total = cases.filter(isOfGroup).length;
    const differ = differences.filter(({ aCase }) =>
      isOfGroup(aCase),
    ).length;
    return [group, String(total), String(differ)];
  });
  return table(["cases about", "in all", "answered otherwise"], rows);
}

/**
 * @param {string[]} header
 * @param {string[][]} rows
 */
function table(header, rows) {
  const lines = [header, header.map(() => "---"), ...rows];
  return lines
    .map((cells) => `| ${cells.map(cell).join(" | ")} |`)
    .join("\n");
}

/** @param {string} text */
const cell = (text) =>
  text.replaceAll("|", "\\|").replaceAll("__proto__", "`__proto__`");

/** @param {string} text */
const capital = (text) => text[0].toUpperCase() + text.slice(1);

async function main() {
  const { createServer } = await import(OUR_SERVER);
  const { describeRequest } = await import(OUR_HANDLER);
  const differences = await compare(
    startServer((options) => createServer(describeRequest, options)),
    startServer(createNodeServer),
  );
  const isSummary = process.argv.includes("--summary");
  console.log(isSummary ? summary(differences) : tables(differences));
  console.log(
    `\nOf ${cases.length} cases, \`node:http\` answers ` +
      `${differences.length} otherwise.`,
  );
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await main();

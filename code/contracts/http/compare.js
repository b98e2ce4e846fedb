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
const CONCURRENCY = 16;
/** For an answer that never comes, in milliseconds. */
const PATIENCE = 1000;

/**
 * @param {import("./start.js").Start} startOurs
 * @param {import("./start.js").Start} startTheirs
 * @returns {Promise<Difference[]>} in the order of the cases
 */
export async function compare(startOurs, startTheirs) {
  const ours = new Servers(startOurs);
  const theirs = new Servers(startTheirs);
  try {
    const all = await inParallel(cases, async (aCase) => ({
      aCase,
      ours: await answerOf(ours, aCase),
      theirs: await answerOf(theirs, aCase),
    }));
    return all.filter((both) => both.ours !== both.theirs);
  } finally {
    await Promise.all([ours.close(), theirs.close()]);
  }
}

/**
 * What a server does with a case, in a few words.
 *
 * @param {Servers} servers
 * @param {GroupedCase} aCase
 */
async function answerOf(servers, aCase) {
  const address = await servers.for(aCase);
  const options = { followUp: false, patience: PATIENCE };
  const observation = await observe(aCase, address, options);
  const { responses, ending } = observation;
  const said = responses.map(({ status }) => status).join(", ");
  const did = ending === "open" ? "stays open" : ending;
  const faults = findFaults(aCase, observation).filter(tellsMore);
  return [said || "no answer", did, ...faults].join("; ");
}

/**
 * Whether a fault says what statuses and the connection's end don't.
 *
 * @param {string} fault
 */
function tellsMore(fault) {
  return !/the status is|never came|too many|connection should be/.test(
    fault,
  );
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

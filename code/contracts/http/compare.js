/**
 * Prints, as Markdown, the cases of the contract that node:http answers
 * otherwise than the book's own server:
 *
 *     node compare.js          a table for each group of cases
 *     node compare.js --short  a row for each kind of difference
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
const FEW = 8;
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
    /** @param {GroupedCase} aCase */
    const ask = async (aCase) => {
      const both = await Promise.all([
        answerOf(ours, aCase),
        answerOf(theirs, aCase),
      ]);
      return { aCase, ...difference(...both) };
    };
    const all = await inParallel(chosen, CONCURRENCY, ask);
    const apart = all.filter(differs).map(({ aCase }) => aCase);
    // A busy machine makes some answers late, so that two servers differ, or
    // agree, by chance: these are asked once more, and then a third decides.
    const confirmed = await inParallel(apart, FEW, async (aCase) => {
      const again = await ask(aCase);
      return differs(again) ? again : ask(aCase);
    });
    return confirmed.filter(differs);
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

/** @param {Difference} both */
function differs({ ours, theirs }) {
  return ours !== theirs;
}

/**
 * @template Item, Result
 * @param {Item[]} items
 * @param {number} atOnce
 * @param {(item: Item) => Promise<Result>} work
 * @returns {Promise<Result[]>}
 */
async function inParallel(items, atOnce, work) {
  /** @type {Result[]} */
  const results = [];
  const left = items.entries();
  const worker = async () => {
    for (const [i, item] of left) results[i] = await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
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

/**
 * What a client sends, and which cases are of that kind: those of a group
 * (of any group if none is named) whose names hold the words, and that the
 * two servers answer so. A case counts for the first kind that it is of.
 *
 * @typedef {{ what: string, isSo: (ours: Words, theirs: Words) => boolean,
 *   group?: string, words?: RegExp }} Kind
 */

/** @type {Record<string, Kind["isSo"]>} */
const NODE = {
  losesAnswers: (ours, theirs) =>
    ours.served > theirs.served && theirs.isRefusal,
  isStricter: (ours, theirs) => !ours.isRefusal && theirs.isRefusal,
  doesNotRefuse: (ours, theirs) =>
    ours.isRefusal && (theirs.served > 0 || theirs.waits),
};

/** The kinds that the chapter speaks of. @type {Kind[]} */
const KINDS = [
  {
    what: "good requests and a bad one in one piece",
    isSo: NODE.losesAnswers,
    words: /what came before the mistake|nothing has announced/,
  },
  {
    what: "one more request behind one that says `close`",
    isSo: NODE.losesAnswers,
    words: /says close/,
  },
  {
    what: "two `Host`s, or one that is no host",
    isSo: NODE.doesNotRefuse,
    words: /\bHosts?\b/,
  },
  {
    what: "chunks in HTTP/1.0",
    isSo: NODE.doesNotRefuse,
    group: "framing",
    words: /1\.0/,
  },
  {
    what: "more than our limits",
    isSo: NODE.doesNotRefuse,
    words: /more than|limit|\bend\b|413|too large/,
  },
  {
    what: "HTTP/2.0, HTTP/0.9, or no version",
    isSo: NODE.doesNotRefuse,
    group: "methods and versions",
    words: /version [\d.]+ with|HTTP\/0/,
  },
  {
    what: "HTTP/1.9",
    isSo: NODE.isStricter,
    group: "methods and versions",
  },
];

/** @typedef {ReturnType<typeof read>} Words */

/** @param {string} words of an answer */
function read(words) {
  const statuses = (words.match(/\b\d{3}\b/g) ?? []).map(Number);
  return {
    served: statuses.filter((status) => status === 200).length,
    isRefusal: statuses.some((status) => status >= 400),
    waits: words.endsWith("waits for more"),
  };
}

/**
 * @param {Difference[]} differences
 * @returns {string} a table of the kinds, as Markdown, and how many cases
 *   are of none
 * @throws {Error} for a kind that no case is of, any more
 */
export function short(differences) {
  const left = new Set(differences);
  const rows = KINDS.map(({ what, isSo, group, words }) => {
    const found = [...left].filter(
      ({ aCase, ours, theirs }) =>
        isSo(read(ours), read(theirs)) &&
        (group === undefined || aCase.group === group) &&
        (words === undefined || words.test(aCase.name)),
    );
    if (found.length === 0) throw new Error(`no case is: ${what}`);
    for (const difference of found) left.delete(difference);
    const both = [
      oneOf(found.map(({ ours }) => ours)),
      oneOf(found.map(({ theirs }) => theirs)),
    ];
    return [what, ...both, String(found.length)];
  });
  return table(
    ["a client sends", "ours", "`node:http`", "cases"],
    [...rows, ["something else", "–", "–", String(left.size)]],
  );
}

/**
 * @param {string[]} answers
 * @returns {string} such as "400 or 505": each once, without what becomes
 *   of the connection; "waits" if the last answer hasn't come
 */
function oneOf(answers) {
  const statuses = answers.map((words) =>
    words
      .replace(/^(?:no answer|100), waits for more$/, "waits")
      .replace(/, (?:closes|waits for more)$/, ""),
  );
  return [...new Set(statuses)].sort().join(" or ");
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
    startServer(({ limits }) =>
      // Node has one limit for a whole head, and no other for its line.
      // Ours for the fields is the same as Node's default.
      createNodeServer({ limits: { ...limits, requestLineBytes: 0 } }),
    ),
  );
  const isShort = process.argv.includes("--short");
  console.log(
    `Of ${cases.length} cases, \`node:http\` answers ` +
      `${differences.length} differently.\n`,
  );
  console.log(isShort ? short(differences) : tables(differences));
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await main();

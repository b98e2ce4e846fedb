/**
 * The engine beside node:http: whatever case of the contract the two end in
 * different ways has to stand in a table, with its reason.
 */
import assert from "node:assert/strict";
import { it } from "node:test";
import { cases } from "./cases.js";
import { compare } from "./compare.js";
import { answer, setLimits } from "./node-http.js";
import { startServer } from "./start.js";

/**
 * @typedef {object} Row of the table of differences
 * @property {string} name of the case
 * @property {string} nodeHttp what it does, as in "200, closes"
 * @property {string} engine
 * @property {string} reason beside the case's section of the RFC
 * @property {number} [only] the version of Node.js that has it, if not all do
 *
 * @typedef {(router: any, options?: any) => import("node:http").Server}
 *   CreateServer velocy's, on node:http or on the engine
 */

/** The contract speaks of one request line and of the fields; Node's limit is one. */
const ONE_LIMIT = { requestLineBytes: 0 };

/** What velocy itself listens to, and what a case is not about. */
const OF_VELOCY = ["request", "upgrade", "checkContinue"];

/**
 * Starts a server of velocy's that answers what the contract asks, with
 * nothing of velocy between it and the handler.
 *
 * @param {CreateServer} createServer
 * @param {any} Router
 */
export function startBelow(createServer, Router) {
  return startServer(({ limits }) => {
    /** @param {object} options */
    const create = (options) => createServer(new Router(), options);
    const server = setLimits(create, { ...limits, ...ONE_LIMIT });
    for (const event of OF_VELOCY) server.removeAllListeners(event);
    return server.on("request", answer);
  });
}

/** Two things race in some cases, which then end now so, now so. */
const ATTEMPTS = 4;

/**
 * @param {object} servers
 * @param {CreateServer} servers.onEngine
 * @param {CreateServer} servers.onNodeHttp
 * @param {any} servers.Router
 * @param {Row[]} table
 */
export function testDifferences({ onEngine, onNodeHttp, Router }, table) {
  it(`ends ${cases.length} cases as node:http does, but for those in a table`, async () => {
    for (const { name } of table) {
      const known = cases.some((aCase) => aCase.name === name);
      assert.ok(known, `there is no case named "${name}"`);
    }
    const [major] = process.versions.node.split(".").map(Number);
    const here = table.filter(({ only = major }) => only === major);
    const declared = new Map(here.map((row) => [row.name, wordsOf(row)]));
    const both = /** @type {const} */ ([
      startBelow(onEngine, Router),
      startBelow(onNodeHttp, Router),
    ]);
    let open = cases;
    /** @type {{ aCase: typeof cases[0], is: string, should: string }[]} */
    let wrong = [];
    // What is not as it should be is looked at again, alone.
    for (let i = 0; i < ATTEMPTS && open.length > 0; i += 1) {
      const found = await compare(...both, open);
      const seen = new Map(
        found.map(({ aCase, ours, theirs }) => {
          const row = { engine: ours, nodeHttp: theirs };
          return [aCase, wordsOf(row)];
        }),
      );
      wrong = open.flatMap((aCase) => {
        const is = seen.get(aCase) ?? "no difference";
        const should = declared.get(aCase.name) ?? "no difference";
        return is === should ? [] : [{ aCase, is, should }];
      });
      open = wrong.map(({ aCase }) => aCase);
    }
    const lines = wrong.map(
      ({ aCase, is, should }) =>
        `${aCase.name} (${aCase.section})\n  is:    ${is}\n  table: ${should}`,
    );
    assert.equal(lines.join("\n"), "");
  });
}

/** @param {Pick<Row, "engine" | "nodeHttp">} row */
function wordsOf({ engine, nodeHttp }) {
  return `engine: ${engine} | node:http: ${nodeHttp}`;
}

import { setTimeout as delay } from "node:timers/promises";
import { Visitor } from "../../code/contracts/visitor.js";
import { fileTexts } from "./files.js";

/** @import { Response } from "../../code/contracts/visitor.js" */

/**
 * What a contender must answer, so that all do the same work.
 *
 * @typedef {object} Contract
 * @property {string} path of the request that is measured
 * @property {Check[]} checks
 */

/**
 * @typedef {object} Check
 * @property {string} name what is looked at, for a reader
 * @property {string} path
 * @property {number} status
 * @property {string} [body] exact; not compared when left out
 * @property {string} [mediaType] without parameters
 * @property {Record<string, string | undefined>} [fields] the field lines that must be there and no
 *   others; undefined stands for any value. Not compared when left out
 * @property {boolean} [isCut] the request arrives in three pieces
 * @property {number} [times] how often on the one connection
 */

/**
 * @typedef {object} ContractReport
 * @property {number} bytesPerResponse of the first check's answer
 * @property {string[]} differences one sentence each; empty when all is met
 */

const benchmarkFields = {
  "x-powered-by": "benchmark",
  "content-type": "application/json",
  connection: "keep-alive",
  "keep-alive": "timeout=5",
  date: undefined,
};

/**
 * @param {string} name
 * @param {string} path
 * @param {string} body
 * @param {Partial<Check>} [more]
 * @returns {Check}
 */
function answers(name, path, body, more) {
  const fields = { ...benchmarkFields, "content-length": String(Buffer.byteLength(body)) };
  return { name, path, status: 200, body, fields, ...more };
}

/**
 * The endpoint of 2023, `GET /bench/:name?id=`.
 *
 * @type {Contract}
 */
export const benchmarkContract = {
  path: "/bench/testing?id=10",
  checks: [
    answers("the answer", "/bench/testing?id=10", '{"name":"testing","id":"10"}'),
    answers("no id", "/bench/testing", '{"name":"testing","id":null}'),
    answers("a name with an accent", "/bench/Andr%C3%A9?id=10", '{"name":"André","id":"10"}'),
    { name: "another path", path: "/nothing/here", status: 404 },
    answers("a request in three pieces", "/bench/testing?id=10", '{"name":"testing","id":"10"}', {
      isCut: true,
    }),
    answers(
      "two requests on a connection",
      "/bench/testing?id=10",
      '{"name":"testing","id":"10"}',
      {
        times: 2,
      },
    ),
  ],
};

/**
 * The same, asked as rewrk asks: with the absolute-form of the target, which
 * a server has to accept though only a proxy is sent it (RFC 9112, section
 * 3.2.2).
 *
 * @type {Contract}
 */
export const absoluteFormContract = {
  path: benchmarkContract.path,
  checks: [
    ...benchmarkContract.checks,
    answers(
      "a target in absolute-form",
      "http://benchmark/bench/testing?id=10",
      '{"name":"testing","id":"10"}',
    ),
  ],
};

/**
 * @param {string} name
 * @param {string} path
 * @param {string} body
 * @param {Partial<Check>} [more]
 * @returns {Check}
 */
function answersInItsWay(name, path, body, more) {
  return { name, path, status: 200, body, mediaType: "application/json", ...more };
}

/**
 * The same answer, with the field lines that each framework puts there.
 *
 * @type {Contract}
 */
export const frameworkContract = {
  path: benchmarkContract.path,
  checks: benchmarkContract.checks.map(({ name, path, status, body = "", isCut, times }) =>
    status === 200 ? answersInItsWay(name, path, body, { isCut, times }) : { name, path, status },
  ),
};

/**
 * A file, whole and on a connection that stays.
 *
 * @param {keyof typeof fileTexts} name
 * @returns {Contract}
 */
export function fileContract(name) {
  const file = { path: `/${name}`, status: 200, body: fileTexts[name], mediaType: "text/plain" };
  return {
    path: `/${name}`,
    checks: [
      { name: "the file", ...file },
      { name: "two requests on a connection", ...file, times: 2 },
      { name: "a file that isn't there", path: "/nothing.txt", status: 404 },
    ],
  };
}

const echoed = JSON.stringify({
  method: "GET",
  target: "/bench/testing?id=10",
  version: "1.1",
  fields: { host: "benchmark" },
  body: "",
});

/**
 * @param {string} name
 * @param {Partial<Check>} [more]
 * @returns {Check}
 */
function echoes(name, more) {
  return {
    name,
    path: "/bench/testing?id=10",
    status: 200,
    body: echoed,
    fields: {
      "content-type": "application/json",
      "content-length": String(echoed.length),
      connection: "keep-alive",
      date: undefined,
    },
    ...more,
  };
}

/**
 * What the server of Part I answers: what it understood of the request.
 *
 * @type {Contract}
 */
export const echoContract = {
  path: "/bench/testing?id=10",
  checks: [
    echoes("the answer"),
    echoes("a request in three pieces", { isCut: true }),
    echoes("two requests on a connection", { times: 2 }),
  ],
};

/**
 * @param {Check} check
 * @param {Response} response
 * @returns {string[]}
 */
function differencesOf(check, response) {
  /** @type {string[]} */
  const differences = [];
  const say = (/** @type {string} */ text) => differences.push(`${check.name}: ${text}`);
  const { status, fields } = response;
  const body = response.body.toString();
  if (status !== check.status) say(`status ${status}, not ${check.status}`);
  if (check.body !== undefined && body !== check.body) {
    say(
      `body ${JSON.stringify(body.slice(0, 200))}, not ${JSON.stringify(check.body.slice(0, 200))}`,
    );
  }
  const [type = ""] = fields.get("content-type") ?? [];
  const mediaType = type.split(";")[0].trim().toLowerCase();
  if (check.mediaType !== undefined && mediaType !== check.mediaType) {
    say(`content-type: ${type}, not ${check.mediaType}`);
  }
  if (check.fields) {
    for (const [name, value] of Object.entries(check.fields)) {
      const got = fields.get(name) ?? [];
      if (got.length === 0) say(`no ${name}`);
      else if (got.length > 1) say(`${name} ${got.length} times`);
      else if (value !== undefined && got[0].toLowerCase() !== value.toLowerCase()) {
        say(`${name}: ${got[0]}, not ${value}`);
      }
    }
    for (const [name, values] of fields) {
      if (name in check.fields) continue;
      for (const value of values) say(`also ${name}: ${value}`);
    }
  }
  return differences;
}

/**
 * @param {Check} check
 * @param {number} port
 * @returns {Promise<{ differences: string[], byteLength: number }>}
 */
async function runCheck(check, port) {
  const request = `GET ${check.path} HTTP/1.1\r\nHost: benchmark\r\n\r\n`;
  const third = Math.floor(request.length / 3);
  const pieces = check.isCut
    ? [request.slice(0, third), request.slice(third, 2 * third), request.slice(2 * third)]
    : [request];
  const differences = new Set();
  let byteLength = 0;
  try {
    const visitor = await Visitor.connect({ port, host: "127.0.0.1" });
    try {
      for (let count = 1; count <= (check.times ?? 1); count++) {
        const before = visitor.bytes.length;
        await sendApart(visitor, pieces);
        const response = await visitor.response(count);
        byteLength = visitor.bytes.length - before;
        for (const difference of differencesOf(check, response)) differences.add(difference);
      }
    } finally {
      visitor.leave();
    }
  } catch (err) {
    differences.add(`${check.name}: ${/** @type {Error} */ (err).message.split("\n")[0]}`);
  }
  return { differences: [...differences], byteLength };
}

/**
 * Sends each piece 20 ms after the one before, so that they arrive apart.
 *
 * @param {Visitor} visitor
 * @param {string[]} pieces
 */
async function sendApart(visitor, pieces) {
  for (const [index, piece] of pieces.entries()) {
    if (index > 0) await delay(20);
    await visitor.send(piece);
  }
}

/**
 * Asks a running server everything that the contract asks.
 *
 * @param {Contract} contract
 * @param {number} port
 * @returns {Promise<ContractReport>}
 */
export async function checkContract(contract, port) {
  /** @type {string[]} */
  const differences = [];
  let bytesPerResponse = 0;
  for (const [index, check] of contract.checks.entries()) {
    const outcome = await runCheck(check, port);
    differences.push(...outcome.differences);
    if (index === 0) bytesPerResponse = outcome.byteLength;
  }
  return { bytesPerResponse, differences };
}

/**
 * The contract for a handler that sends files, over real sockets: names,
 * links, folders, ranges, preconditions and siblings.
 *
 *     testFiles(async (root) => ({ port, close }));
 *     testFiles(start, ["a range is a part"]);
 */
import assert from "node:assert/strict";
import net from "node:net";
import { after, before, describe, test } from "node:test";
import { FILE_GROUPS } from "./cases.js";
import { makeTree } from "./tree.js";

/** @import { Asked, Expected } from "./cases.js" */

/**
 * Starts the server under test on a free port. It sends the files of a
 * folder below `/static/`, and siblings for whoever wants them.
 *
 * @callback StartServer
 * @param {string} root
 * @returns {Promise<{ port: number, close: () => unknown }>}
 */

/**
 * @param {StartServer} start
 * @param {string[]} [names] of the groups; all unless given
 */
export function testFiles(
  start,
  names = FILE_GROUPS.map(({ name }) => name),
) {
  const groups = FILE_GROUPS.filter(({ name }) => names.includes(name));
  if (groups.length < names.length)
    throw new Error(`no such group in ${names}`);
  /** @type {ReturnType<typeof makeTree>} */
  let tree;
  /** @type {Awaited<ReturnType<StartServer>>} */
  let server;
  before(async () => {
    tree = makeTree();
    server = await start(tree.root);
  });
  after(async () => {
    await server.close();
    tree.remove();
  });

  for (const { name, section, cases } of groups) {
    describe(`${name} (${section})`, () => {
      for (const [target, expected, asked = {}] of cases) {
        test(describeCase(target, expected, asked), async () => {
          const fields = await fillIn(server.port, target, asked.fields);
          const answer = await send(server.port, target, {
            ...asked,
            fields,
          });
          compare(answer, expected);
        });
      }
    });
  }
}

/** @param {string} target @param {Expected} expected @param {Asked} asked */
function describeCase(
  target,
  { statusCode },
  { method = "GET", fields = {} },
) {
  const list = Object.entries(fields).map(
    ([name, value]) => `${name}: ${value}`,
  );
  const what = [`${method} ${target}`, ...list].join(", ");
  return `${what.length > 90 ? `${what.slice(0, 90)}…` : what} gives ${statusCode}`;
}

/**
 * @param {Answer} answer
 * @param {Expected} expected
 */
function compare(answer, { statusCode, body, fields = {} }) {
  assert.equal(answer.statusCode, statusCode, answer.body);
  if (body !== undefined) assert.equal(answer.body, body);
  for (const [name, value] of Object.entries(fields)) {
    assert.equal(answer.fields[name] ?? null, value, name);
  }
}

/**
 * @param {number} port
 * @param {string} target
 * @param {Record<string, string>} [fields]
 */
async function fillIn(port, target, fields = {}) {
  const text = JSON.stringify(fields);
  if (!/<\w+>/.test(text)) return fields;
  const { etag, "last-modified": date } = (await send(port, target, {}))
    .fields;
  const shifted = (/** @type {number} */ seconds) =>
    new Date(Date.parse(date) + seconds * 1000).toUTCString();
  /** @type {Record<string, string>} */
  const values = { etag, date, later: shifted(60), earlier: shifted(-60) };
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      return [name, value.replaceAll(/<(\w+)>/g, (_, key) => values[key])];
    }),
  );
}

/**
 * @typedef {object} Answer
 * @property {number} statusCode
 * @property {Record<string, string>} fields
 * @property {string} body
 */

/**
 * Sends a request with the target as it stands, and reads until the server
 * closes.
 *
 * @param {number} port
 * @param {string} target
 * @param {Asked} asked
 * @returns {Promise<Answer>}
 */
function send(port, target, { method = "GET", fields = {} }) {
  return new Promise((resolve, reject) => {
    const socket = net.connect(port, "127.0.0.1");
    /** @type {Buffer[]} */
    const chunks = [];
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.on("error", reject);
    socket.on("close", () => resolve(readAnswer(Buffer.concat(chunks))));
    const all = { host: "example.com", connection: "close", ...fields };
    const lines = Object.entries(all).map(
      ([name, value]) => `${name}: ${value}\r\n`,
    );
    socket.write(`${method} ${target} HTTP/1.1\r\n${lines.join("")}\r\n`);
  });
}

/** @param {Buffer} bytes @returns {Answer} */
function readAnswer(bytes) {
  const end = bytes.indexOf("\r\n\r\n");
  const [first, ...lines] = bytes.toString("latin1", 0, end).split("\r\n");
  const fields = lines.map((line) => {
    const colon = line.indexOf(":");
    return [
      line.slice(0, colon).toLowerCase(),
      line.slice(colon + 1).trim(),
    ];
  });
  const body = bytes.toString("utf8", end + 4);
  const answer = { fields: Object.fromEntries(fields), body };
  return { statusCode: Number(first.split(" ")[1]), ...answer };
}

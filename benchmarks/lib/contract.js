import { writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Visitor } from "../../code/contracts/visitor.js";
import { filesFolder, fileTexts, KIBIBYTE, replaceFile, secret, textOf } from "./files.js";
import { browserFields, jsonBody, jsonFields } from "./requests.js";
import { throughTls } from "./through-tls.js";

/** @import { Response } from "../../code/contracts/visitor.js" */

/**
 * What a contender must answer, so that all do the same work.
 *
 * @typedef {object} Contract
 * @property {string} path of the request that is measured
 * @property {string} [method] of it, if not GET
 * @property {boolean} [isSecure] it is asked over TLS
 * @property {Check[]} checks
 */

/**
 * @typedef {object} Check
 * @property {string} name what is looked at, for a reader
 * @property {string} path
 * @property {Asked} [asked] what is sent, if not a bare GET
 * @property {number} [status] any but a success when left out
 * @property {string} [body] exact; not compared when left out
 * @property {string} [secret] what no answer may hold
 * @property {() => void} [before] changes what is asked for
 * @property {() => void} [after] changes it back, whatever was answered
 * @property {string} [mediaType] without parameters
 * @property {number} [length] that Content-Length tells, in bytes
 * @property {Record<string, string | undefined>} [fields] the field lines that must be there and no
 *   others; undefined stands for any value. Not compared when left out
 * @property {string[]} [mayHave] field lines that may be there besides
 * @property {boolean} [closes] the server closes the connection after its answer
 * @property {boolean} [isCut] the request arrives in three pieces
 * @property {number} [times] how often on the one connection
 */

/**
 * @typedef {object} Asked
 * @property {string} [method]
 * @property {string[]} [fields] lines beside Host and Content-Length
 * @property {string} [body]
 */

/**
 * @typedef {object} ContractReport
 * @property {number} bytesPerResponse of the first check's answer
 * @property {string[]} differences one sentence each; empty when all is met
 */

/** @type {Record<string, string | undefined>} */
const ownFields = {
  "x-powered-by": "benchmark",
  "content-type": "application/json",
  date: undefined,
};

const benchmarkFields = { ...ownFields, connection: "keep-alive", "keep-alive": "timeout=5" };

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

const target = "/bench/testing?id=10";
const body = '{"name":"testing","id":"10"}';

/**
 * The endpoint of 2023, `GET /bench/:name?id=`.
 *
 * @type {Contract}
 */
export const benchmarkContract = {
  path: target,
  checks: [
    answers("the answer", target, body),
    answers("no id", "/bench/testing", '{"name":"testing","id":null}'),
    answers("a name with an accent", "/bench/Andr%C3%A9?id=10", '{"name":"André","id":"10"}'),
    { name: "another path", path: "/nothing/here", status: 404 },
    answers("a request in three pieces", target, body, { isCut: true }),
    answers("two requests on a connection", target, body, { times: 2 }),
  ],
};

/**
 * The same, asked with the field lines of a browser.
 *
 * @type {Contract}
 */
export const browserContract = {
  path: target,
  checks: benchmarkContract.checks.map((check) => ({ ...check, asked: { fields: browserFields } })),
};

/**
 * The same, over TLS.
 *
 * @type {Contract}
 */
export const secureContract = { ...benchmarkContract, isSecure: true };

/**
 * @param {Check} check
 * @returns {Check} of a connection that carries no second request
 */
function asksToClose({ fields, ...check }) {
  const length = fields?.["content-length"];
  return {
    ...check,
    asked: { fields: ["Connection: close"] },
    ...(fields && { fields: { ...ownFields, connection: "close", "content-length": length } }),
    closes: true,
  };
}

/**
 * The same, asked to close the connection. A server that then says that it
 * stays, or says nothing, or leaves it open, does something else than the others.
 *
 * @type {Contract}
 */
export const closingContract = {
  path: target,
  checks: benchmarkContract.checks.filter(({ times }) => times === undefined).map(asksToClose),
};

/**
 * @param {string} name
 * @param {string} text what is posted
 * @param {string} answer
 * @param {Partial<Check>} [more]
 * @returns {Check}
 */
function answersPost(name, text, answer, more) {
  const asked = { method: "POST", fields: jsonFields, body: text };
  return { ...answers(name, "/bench", answer, more), asked };
}

const posted = '{"name":"testing","id":"10","tags":2}';

/**
 * A small body of JSON that is parsed, and answered with some of what it holds.
 *
 * @type {Contract}
 */
export const jsonContract = {
  path: "/bench",
  method: "POST",
  checks: [
    answersPost("the answer", jsonBody, posted),
    answersPost("no id", '{"name":"testing","tags":[]}', '{"name":"testing","id":null,"tags":0}'),
    answersPost(
      "a name with an accent",
      '{"name":"André","id":"10","tags":["a"]}',
      '{"name":"André","id":"10","tags":1}',
    ),
    {
      name: "a body that isn't JSON",
      path: "/bench",
      asked: { method: "POST", fields: jsonFields, body: '{"name":' },
      status: 400,
    },
    { name: "another path", path: "/nothing/here", status: 404 },
    answersPost("a request in three pieces", jsonBody, posted, { isCut: true }),
    answersPost("two requests on a connection", jsonBody, posted, { times: 2 }),
  ],
};

const largeText = textOf(64 * KIBIBYTE);

/**
 * @param {string} name
 * @param {Partial<Check>} [more]
 * @returns {Check}
 */
function answersLarge(name, more) {
  const fields = {
    ...benchmarkFields,
    "content-type": "text/plain",
    "content-length": String(largeText.length),
  };
  return { name, path: "/large", status: 200, body: largeText, fields, ...more };
}

/**
 * An answer of 64 KiB, the same for each.
 *
 * @type {Contract}
 */
export const largeContract = {
  path: "/large",
  checks: [
    answersLarge("the answer"),
    { name: "another path", path: "/nothing/here", status: 404 },
    answersLarge("two requests on a connection", { times: 2 }),
  ],
};

/**
 * What a contender is held to that is written as its documentation has it: the
 * same, but it may name the charset and send an ETag, which some frameworks do
 * by themselves. The bytes of an answer tell who does.
 *
 * @param {Contract} contract
 * @returns {Contract}
 */
export function asDocumented(contract) {
  const checks = contract.checks.map((check) => {
    const type = check.fields?.["content-type"];
    if (type === undefined) return check;
    const fields = { ...check.fields, "content-type": undefined };
    return { ...check, fields, mediaType: type, mayHave: ["etag"] };
  });
  return { ...contract, checks };
}

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
    answers("a target in absolute-form", `http://benchmark${target}`, body),
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

/**
 * @param {string} target
 * @returns {Check}
 */
function staysInside(target) {
  return { name: `GET ${target}`, path: target, secret: secret.text };
}

/**
 * A file of a folder, read from the file system at every request. A server that
 * goes on with what it has read is found out by a change: of some bytes in the
 * same file, which keep its size, and of the file for a longer and a shorter
 * one: some read anew, and go by the size that they saw first. No field
 * lines are asked for but the type and the length: which others tell of a file,
 * each package decides for itself. A length has to be told.
 *
 * One that keeps a file's bytes and looks whether the file is still the same
 * answers rightly, and isn't found out. Who does so by default is told not to,
 * and its README says it.
 *
 * @param {string} [folder] that the server serves under /files/
 * @returns {Contract}
 */
export function pageContract(folder = filesFolder) {
  const file = path.join(folder, "page.txt");
  const original = fileTexts["page.txt"];
  const edited = original.replaceAll("wire", "WIRE");
  const longer = edited.repeat(2);
  const shorter = edited.slice(0, edited.length / 2);
  const page = (/** @type {string} */ text) => ({
    path: "/files/page.txt",
    status: 200,
    body: text,
    mediaType: "text/plain",
    length: Buffer.byteLength(text),
  });
  const after = () => writeFileSync(file, original);
  return {
    path: "/files/page.txt",
    checks: [
      { name: "the file", ...page(original) },
      { name: "a request in three pieces", ...page(original), isCut: true },
      { name: "two requests on a connection", ...page(original), times: 2 },
      {
        name: "the file, after other bytes were written to it",
        ...page(edited),
        before: () => writeFileSync(file, edited),
        after,
      },
      {
        name: "the file, after a longer one took its place",
        ...page(longer),
        before: () => replaceFile(file, longer),
        after,
      },
      {
        name: "the file, after a shorter one took its place",
        ...page(shorter),
        before: () => replaceFile(file, shorter),
        after,
      },
      { name: "the file, after it was changed back", ...page(original) },
      { name: "a file that isn't there", path: "/files/nothing.html", status: 404 },
      staysInside(`/files/../${secret.name}`),
      staysInside(`/files/%2e%2e%2f${secret.name}`),
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
  const text = response.body.toString();
  if (check.status === undefined) {
    if (status < 300) say(`status ${status}`);
  } else if (status !== check.status) say(`status ${status}, not ${check.status}`);
  if (check.secret !== undefined && text.includes(check.secret)) say("the secret");
  if (check.body !== undefined && text !== check.body) {
    say(
      `body ${JSON.stringify(text.slice(0, 200))}, not ${JSON.stringify(check.body.slice(0, 200))}`,
    );
  }
  const [type = ""] = fields.get("content-type") ?? [];
  const mediaType = type.split(";")[0].trim().toLowerCase();
  if (check.mediaType !== undefined && mediaType !== check.mediaType) {
    say(`content-type: ${type}, not ${check.mediaType}`);
  }
  if (check.length !== undefined) {
    const lengths = (fields.get("content-length") ?? ["none"]).join(", ");
    if (lengths !== String(check.length)) say(`content-length: ${lengths}, not ${check.length}`);
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
      if (name in check.fields || check.mayHave?.includes(name)) continue;
      for (const value of values) say(`also ${name}: ${value}`);
    }
  }
  return differences;
}

/**
 * @param {Check} check
 * @returns {Buffer}
 */
function requestOf({ path, asked: { method = "GET", fields = [], body: text = "" } = {} }) {
  const length = text === "" ? [] : [`Content-Length: ${Buffer.byteLength(text)}`];
  const head = [`${method} ${path} HTTP/1.1`, "Host: benchmark", ...fields, ...length];
  return Buffer.from(`${head.join("\r\n")}\r\n\r\n${text}`);
}

/**
 * @param {Check} check
 * @param {number} port
 * @returns {Promise<{ differences: string[], byteLength: number }>}
 */
async function runCheck(check, port) {
  const request = requestOf(check);
  const third = Math.floor(request.length / 3);
  const pieces = check.isCut
    ? [request.subarray(0, third), request.subarray(third, 2 * third), request.subarray(2 * third)]
    : [request];
  const differences = new Set();
  let byteLength = 0;
  try {
    check.before?.();
    const visitor = await Visitor.connect({ port, host: "127.0.0.1" });
    try {
      for (let count = 1; count <= (check.times ?? 1); count++) {
        const before = visitor.bytes.length;
        await sendApart(visitor, pieces);
        const response = await visitor.response(count);
        byteLength = visitor.bytes.length - before;
        for (const difference of differencesOf(check, response)) differences.add(difference);
      }
      if (check.closes && (await visitor.end()) === "reset") {
        differences.add(`${check.name}: the connection was reset`);
      }
    } finally {
      visitor.leave();
    }
  } catch (err) {
    differences.add(`${check.name}: ${/** @type {Error} */ (err).message.split("\n")[0]}`);
  } finally {
    check.after?.();
  }
  return { differences: [...differences], byteLength };
}

/**
 * Sends each piece 20 ms after the one before, so that they arrive apart.
 *
 * @param {Visitor} visitor
 * @param {Buffer[]} pieces
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
  if (contract.isSecure) return throughTls(port, (plain) => runChecks(contract, plain));
  return runChecks(contract, port);
}

/**
 * @param {Contract} contract
 * @param {number} port
 * @returns {Promise<ContractReport>}
 */
async function runChecks({ checks }, port) {
  /** @type {string[]} */
  const differences = [];
  let bytesPerResponse = 0;
  for (const [index, check] of checks.entries()) {
    const outcome = await runCheck(check, port);
    differences.push(...outcome.differences);
    if (index === 0) bytesPerResponse = outcome.byteLength;
  }
  return { bytesPerResponse, differences };
}

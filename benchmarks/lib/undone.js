/**
 * Chapter 22's engine with one of its tricks undone: the milestone's files,
 * copied, with a few lines changed.
 */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { benchError } from "./errors.js";
import { root } from "./paths.js";

const milestone = path.join(root, "code", "ch22-engine");

/** What a copy needs of the milestone; the last is the server. */
const parts = ["package.json", "index.js", "lib", "typical.js", "on-engine.js"];

/**
 * @typedef {object} Change
 * @property {string} file in lib/engine/
 * @property {string} from stands in the file once
 * @property {string} to
 */

/**
 * @typedef {object} Trick
 * @property {string} name
 * @property {string} title what a copy does instead
 * @property {Change[]} changes
 */

/**
 * In every copy: a server that waits for its turn keeps its connections.
 *
 * @type {Change[]}
 */
const always = [
  { file: "server.js", from: "keepAliveTimeout: 5_000,", to: "keepAliveTimeout: 600_000," },
];

/** @type {Trick[]} */
export const tricks = [
  {
    name: "shared-buffer",
    title: "a buffer for each read, and data events",
    changes: [{ file: "reading.js", from: "return { buffer, callback };", to: "return null;" }],
  },
  {
    name: "lazy-fields",
    title: "all fields as strings in an array, at once",
    changes: [
      {
        file: "request.js",
        from: "    this.complete = framing.bodyLength === 0;\n",
        to: "    this.complete = framing.bodyLength === 0;\n    this.rawHeaders;\n",
      },
    ],
  },
  {
    name: "lazy-object",
    title: "the object of fields, too, at once",
    changes: [
      {
        file: "request.js",
        from: "    this.complete = framing.bodyLength === 0;\n",
        to: "    this.complete = framing.bodyLength === 0;\n    this.headers;\n",
      },
    ],
  },
  {
    name: "light-request",
    title: "a request that is a stream from the start",
    changes: [
      {
        file: "request.js",
        from: "    this.client = socket;\n    return true;",
        to: "    this.client = socket;\n    return false;",
      },
      {
        file: "request.js",
        from: "setDefaults(EngineRequest.prototype, sample, (req) => {",
        to: "void ((req) => {",
      },
    ],
  },
  {
    name: "light-response",
    title: "a response with all of node:http's properties",
    changes: [
      {
        file: "response.js",
        from: "this._hasBody = false;\n    return true;",
        to: "this._hasBody = false;\n    return false;",
      },
      {
        file: "response.js",
        from: "setDefaults(EngineResponse.prototype, sample, (res) => Stream.call(res));",
        to: "",
      },
    ],
  },
  {
    name: "head-lines",
    title: "each line of a head checked and made anew",
    changes: [
      {
        file: "response-head.js",
        from: "  const known = names.get(name);\n  if (known !== undefined) return known;\n",
        to: "",
      },
      {
        file: "response-head.js",
        from: "  const known = statusLines.get(statusCode);\n  if (known !== undefined) return known;\n",
        to: "",
      },
    ],
  },
  {
    name: "date",
    title: "the date made for each answer",
    changes: [
      {
        file: "response-head.js",
        from: "  const known = ends.get(timeout);\n  if (known !== undefined) return known;\n",
        to: "",
      },
    ],
  },
  {
    name: "one-text",
    title: "head and body as two buffers, through the stream",
    changes: [
      { file: "output.js", from: "    if (isAscii) {\n", to: "    if (isAscii === null) {\n" },
    ],
  },
  {
    name: "batch",
    title: "a write for each answer",
    changes: [
      {
        file: "output.js",
        from: "if (this.#text.length > MOST_TEXT) this.#writeText();",
        to: "this.#writeText();",
      },
    ],
  },
  {
    name: "past-stream",
    title: "one text, through the socket's stream",
    changes: [
      {
        file: "writing.js",
        from: "  if (takesNull !== true || needsStream(socket)) {\n",
        to: '  if (socket !== null) return socket.write(text, "latin1");\n  if (takesNull !== true || needsStream(socket)) {\n',
      },
    ],
  },
  {
    name: "clock",
    title: "a timer for each request and each pause",
    changes: [
      {
        file: "connection.js",
        from: "    this.requestCount += 1;\n",
        to: "    this.requestCount += 1;\n    this.#setTimer(300_000);\n",
      },
      {
        file: "connection.js",
        from: "  #finish(res) {\n",
        to: "  #finish(res) {\n    this.#setTimer(600_000);\n",
      },
      {
        file: "connection.js",
        from: "  #flush() {\n",
        to:
          "  #timer;\n\n" +
          "  #setTimer(milliseconds) {\n" +
          "    clearTimeout(this.#timer);\n" +
          "    this.#timer = setTimeout(() => this.socket.destroy(), milliseconds);\n" +
          "    this.#timer.unref();\n" +
          "  }\n\n" +
          "  #flush() {\n",
      },
      {
        file: "connection.js",
        from: "    this.#engine.delete(this);\n",
        to: "    clearTimeout(this.#timer);\n    this.#engine.delete(this);\n",
      },
    ],
  },
  {
    name: "own-writing",
    title: "answers written by node:http's own code",
    changes: [
      {
        file: "response.js",
        from: "    if (this.#isAttached || this.finished || this.destroyed) return false;\n",
        to: "    if (this !== null) return false;\n",
      },
    ],
  },
];

/**
 * @param {string} text
 * @param {Change} change
 * @returns {string}
 * @throws {UserError} ERR_BENCH_PATCH when the engine has changed
 */
export function applyChange(text, { file, from, to }) {
  const pieces = text.split(from);
  if (pieces.length === 2) return pieces.join(to);
  const count = pieces.length - 1;
  throw benchError(
    "ERR_BENCH_PATCH",
    `lib/engine/${file} has these lines ${count} times, and should have them once:\n${from}`,
  );
}

/**
 * Makes a copy of the engine.
 *
 * @param {string} folder is made
 * @param {Change[]} [changes]
 * @returns {string} the server's program
 * @throws {UserError} ERR_BENCH_PATCH when a change doesn't fit
 */
export function makeCopy(folder, changes = []) {
  mkdirSync(folder, { recursive: true });
  for (const part of parts) {
    cpSync(path.join(milestone, part), path.join(folder, part), { recursive: true });
  }
  for (const change of [...always, ...changes]) {
    const file = path.join(folder, "lib", "engine", change.file);
    writeFileSync(file, applyChange(readFileSync(file, "utf8"), change));
  }
  return path.join(folder, /** @type {string} */ (parts.at(-1)));
}

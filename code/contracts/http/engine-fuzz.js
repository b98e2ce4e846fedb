/**
 * The engine's reading of requests, beside node:http's: what chance makes is
 * accepted or refused by both, means the same to both, and ends at the same
 * byte. How it is cut into pieces changes nothing.
 */
import assert from "node:assert/strict";
import { KINDS } from "./engine-kinds.js";
import { makePieces, makeRequests } from "./some-requests.js";
import { judgeBySocket, judgeInMemory, wordsOf } from "./verdict.js";

/** @import { Socket } from "node:net" */
/** @import { Judge } from "./verdict.js" */
/** @import { Choices } from "./some-requests.js" */

/**
 * @typedef {object} UnderTest
 * @property {import("./engine.js").CreateServer} onEngine
 * @property {import("./engine.js").CreateServer} onNodeHttp
 * @property {any} Router
 * @property {any} MemorySocket
 *
 * @typedef {string[]} Case pieces, a character for a byte
 */

/**
 * @param {Choices} choices
 * @param {number} [most] pieces
 * @returns {Case}
 */
export function makeCase(choices, most) {
  const pieces = makePieces(choices, makeRequests(choices), most);
  return pieces.map((piece) => piece.toString("latin1"));
}

/** @param {Case} aCase */
function bytesOf(aCase) {
  return aCase.map((piece) => Buffer.from(piece, "latin1"));
}

/** What velocy itself listens to. */
const OF_VELOCY = ["request", "upgrade", "checkContinue"];

/**
 * A server without limits of time, and nothing of velocy's between it and a
 * handler.
 *
 * @param {import("./engine.js").CreateServer} createServer
 * @param {any} Router
 * @param {object} [options]
 */
export function bareServer(createServer, Router, options = {}) {
  const patient = {
    keepAliveTimeout: 0,
    headersTimeout: 0,
    requestTimeout: 0,
  };
  const server = createServer(new Router(), { ...patient, ...options });
  for (const event of OF_VELOCY) server.removeAllListeners(event);
  // What is handed over is over for the engine.
  server.on(
    "upgrade",
    (/** @type {any} */ req, /** @type {any} */ socket) => {
      socket.on("error", () => {});
      server.emit("request", req, null);
    },
  );
  return server;
}

/** @param {UnderTest} underTest */
export function makeJudges({ onEngine, onNodeHttp, Router, MemorySocket }) {
  const engine = judgeInMemory(bareServer(onEngine, Router), MemorySocket);
  const whole = judgeInMemory(bareServer(onNodeHttp, Router), MemorySocket);
  /**
   * Byte by byte: of a good request and a bad one that come together,
   * node:http answers the bad one alone (a kind of its own).
   *
   * @type {Judge}
   */
  const nodeHttp = (pieces) => whole(byteByByte(Buffer.concat(pieces)));
  return { engine, nodeHttp, whole };
}

/** @param {Buffer} bytes */
export function byteByByte(bytes) {
  return Array.from(bytes, (_, i) => bytes.subarray(i, i + 1));
}

/** Begins nothing, and ends whatever line is open: who waits for its end has it. */
const LINE_END = Buffer.from("xxxxxxxxxxxx\r\n\r\n");

export const LATER =
  "refuses a line when it has come, not at its first bad byte";

/**
 * Compares what both make of bytes.
 *
 * @param {{ engine: Judge, nodeHttp: Judge }} judges
 * @param {Case} aCase
 * @returns {Promise<string | null>} the kind of difference; null for none
 * @throws {assert.AssertionError} for one that no table has
 */
export async function compareOn({ engine, nodeHttp }, aCase) {
  const pieces = bytesOf(aCase);
  const bytes = Buffer.concat(pieces);
  let ours = await engine(pieces);
  let theirs = await nodeHttp([bytes]);
  if (wordsOf(ours) === wordsOf(theirs)) return null;
  const isLater = ours.isOpen !== theirs.isOpen;
  if (isLater) {
    ours = await engine([...pieces, LINE_END]);
    theirs = await nodeHttp([bytes, LINE_END]);
    if (wordsOf(ours) === wordsOf(theirs)) return LATER;
  }
  const text = bytes.toString("latin1");
  const kind = KINDS.find(
    (each) => each.bytes.test(text) && each.isSo(ours, theirs),
  );
  if (kind !== undefined) return kind.what;
  assert.equal(wordsOf(ours), wordsOf(theirs), "engine, then node:http");
  return null;
}

/**
 * Reads the same bytes whole and in pieces. A refusal may come later, when
 * the line is there.
 *
 * @param {Judge} engine
 * @param {Case} aCase
 * @throws {assert.AssertionError} when that isn't the same
 */
export async function compareCuts(engine, aCase) {
  const pieces = bytesOf(aCase);
  const whole = Buffer.concat(pieces);
  const expected = await engine([whole]);
  const seen = await engine(pieces);
  if (wordsOf(seen) === wordsOf(expected)) return;
  const later = await engine([...pieces, LINE_END]);
  const atOnce = expected.isOpen
    ? expected
    : await engine([whole, LINE_END]);
  assert.equal(wordsOf(later), wordsOf(atOnce), "in pieces, then whole");
}

export { judgeBySocket };

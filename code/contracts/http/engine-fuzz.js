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
/** @import { Judge, Verdict } from "./verdict.js" */
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
  const patient = { keepAliveTimeout: 0, headersTimeout: 0, requestTimeout: 0 };
  const server = createServer(new Router(), { ...patient, ...options });
  for (const event of OF_VELOCY) server.removeAllListeners(event);
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
  const ours = await engine(pieces);
  const theirs = await nodeHttp([bytes]);
  if (wordsOf(ours) === wordsOf(theirs)) return null;
  const kind = kindOf(bytes, ours, theirs);
  if (kind !== undefined) return kind.what;
  assert.equal(
    `${wordsOf(ours)}`,
    `${wordsOf(theirs)}`,
    "engine, then node:http",
  );
  return null;
}

/**
 * @param {Buffer} bytes
 * @param {Verdict} ours
 * @param {Verdict} theirs
 */
function kindOf(bytes, ours, theirs) {
  return KINDS.find(({ isSo }) => isSo({ bytes, ours, theirs }));
}

/**
 * Reads the same bytes whole and in pieces.
 *
 * @param {Judge} engine
 * @param {Case} aCase
 * @throws {assert.AssertionError} when that isn't the same
 */
export async function compareCuts(engine, aCase) {
  const pieces = bytesOf(aCase);
  const whole = wordsOf(await engine([Buffer.concat(pieces)]));
  assert.equal(wordsOf(await engine(pieces)), whole, "in pieces, then whole");
}

export { judgeBySocket };

import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { benchError } from "./errors.js";

/**
 * @typedef {object} RawResponse
 * @property {string} statusLine
 * @property {[name: string, value: string][]} fields names in lower case
 * @property {string} body
 * @property {number} byteLength of head and body
 */

/**
 * Takes one response from the front of what a server has sent. Knows the two
 * ways in which an answer says where it ends (RFC 9112, section 6.3).
 *
 * @param {Buffer} received
 * @returns {{ response: RawResponse, rest: Buffer } | undefined} nothing when
 *   it isn't all there yet
 * @throws {UserError} ERR_BENCH_CONTRACT when it says it in no way or two
 */
export function takeResponse(received) {
  const headEnd = received.indexOf("\r\n\r\n");
  if (headEnd === -1) return undefined;
  const [statusLine, ...lines] = received.toString("latin1", 0, headEnd).split("\r\n");
  /** @type {[string, string][]} */
  const fields = lines.map((line) => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  const lengths = fields.filter(([name]) => name === "content-length");
  const isChunked = fields.some(
    ([name, value]) => name === "transfer-encoding" && value === "chunked",
  );
  if (lengths.length + Number(isChunked) !== 1) {
    throw benchError(
      "ERR_BENCH_CONTRACT",
      `an answer must say once where it ends: ${statusLine}, ${lines.join(", ")}`,
    );
  }
  const bodyStart = headEnd + 4;
  const taken = isChunked
    ? takeChunks(received, bodyStart)
    : takeLength(received, bodyStart, Number(lengths[0][1]));
  if (!taken) return undefined;
  const { body, end } = taken;
  return {
    response: { statusLine, fields, body: body.toString(), byteLength: end },
    rest: received.subarray(end),
  };
}

/**
 * @param {Buffer} received
 * @param {number} start
 * @param {number} length
 * @returns {{ body: Buffer, end: number } | undefined}
 */
function takeLength(received, start, length) {
  const end = start + length;
  return received.length < end ? undefined : { body: received.subarray(start, end), end };
}

/**
 * @param {Buffer} received
 * @param {number} start
 * @returns {{ body: Buffer, end: number } | undefined}
 */
function takeChunks(received, start) {
  const chunks = [];
  for (let at = start; ; ) {
    const lineEnd = received.indexOf("\r\n", at);
    if (lineEnd === -1) return undefined;
    const size = Number.parseInt(received.toString("latin1", at, lineEnd), 16);
    const end = lineEnd + 2 + size + 2;
    if (received.length < end) return undefined;
    if (size === 0) return { body: Buffer.concat(chunks), end };
    chunks.push(received.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = end;
  }
}

/**
 * A connection on which we say what goes out, byte for byte.
 */
export class RawClient {
  #socket;
  #received = Buffer.alloc(0);

  /** @param {import("node:net").Socket} socket */
  constructor(socket) {
    this.#socket = socket;
    socket.on("data", (chunk) => {
      this.#received = Buffer.concat([this.#received, chunk]);
    });
  }

  /**
   * @param {number} port
   * @returns {Promise<RawClient>}
   */
  static async connect(port) {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    await once(socket, "connect");
    return new RawClient(socket);
  }

  /**
   * Sends a request in one piece or several and waits for its answer.
   *
   * @param {string[]} pieces each sent 20 ms after the one before, so that
   *   they arrive apart
   * @param {number} [timeout] milliseconds
   * @returns {Promise<RawResponse>}
   */
  async request(pieces, timeout = 5_000) {
    for (const [index, piece] of pieces.entries()) {
      if (index > 0) await delay(20);
      this.#socket.write(piece);
    }
    const signal = AbortSignal.timeout(timeout);
    for (;;) {
      const taken = takeResponse(this.#received);
      if (taken) {
        this.#received = Buffer.from(taken.rest);
        return taken.response;
      }
      if (this.#socket.readableEnded || this.#socket.destroyed) {
        throw benchError("ERR_BENCH_CONTRACT", "The server closed the connection unasked.");
      }
      await Promise.race([
        once(this.#socket, "data", { signal }),
        once(this.#socket, "end", { signal }),
      ]);
    }
  }

  close() {
    this.#socket.destroy();
  }
}

import net from "node:net";
import { Condition } from "../../../tools/lib/condition.js";
import { readFrames } from "./frames.js";

/** @import { Duplex } from "node:stream" */
/** @import { Frame } from "./frames.js" */

/** How long a server may take over anything, in milliseconds. */
const PATIENCE = 8_000;

/** @param {number} port @returns {Duplex} */
export const connectTo = (port) =>
  net.connect({ port, host: "127.0.0.1", noDelay: true });

/** The fields that a client sends. */
export const FIELDS = {
  host: "127.0.0.1",
  connection: "Upgrade",
  upgrade: "websocket",
  "sec-websocket-version": "13",
  "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
};

/**
 * @param {string} path
 * @param {Record<string, string | null>} [fields] null leaves one out
 * @param {string} [start] of the request line
 */
export function requestFor(path, fields = {}, start = "GET") {
  const lines = Object.entries({ ...FIELDS, ...fields })
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}: ${value}\r\n`);
  return `${start} ${path} HTTP/1.1\r\n${lines.join("")}\r\n`;
}

/** A client that sends any bytes, and keeps the frames that come. */
export class RawSocket {
  /** The answer to the handshake. */
  head = "";
  /** What came behind a head that wasn't a 101. */
  body = "";
  /** @type {Frame[]} */
  frames = [];
  isEnded = false;
  isClosed = false;
  #connection;
  /** @type {Buffer} */
  #bytes = Buffer.alloc(0);
  #change = new Condition();
  /** @type {unknown} */
  #error;

  /** @param {Duplex} connection */
  constructor(connection) {
    this.#connection = connection;
    connection.on("data", (chunk) => this.#take(chunk));
    connection.on("end", () => {
      this.isEnded = true;
      this.#change.changed();
    });
    connection.on("error", () => {});
    connection.on("close", () => {
      this.isClosed = true;
      this.#change.changed();
    });
  }

  /** @param {Buffer} chunk */
  #take(chunk) {
    this.#bytes = Buffer.concat([this.#bytes, chunk]);
    try {
      this.#read();
    } catch (err) {
      this.#error = err;
    }
    this.#change.changed();
  }

  #read() {
    if (this.head === "") {
      const end = this.#bytes.indexOf("\r\n\r\n");
      if (end === -1) return;
      this.head = this.#bytes.toString("latin1", 0, end);
      this.#bytes = this.#bytes.subarray(end + 4);
    }
    if (this.statusCode !== 101) {
      this.body = this.#bytes.toString("latin1");
      return;
    }
    const { frames, rest } = readFrames(this.#bytes);
    this.frames.push(...frames);
    this.#bytes = rest;
  }

  get statusCode() {
    return Number(/^HTTP\/1\.1 (\d{3})/.exec(this.head)?.[1] ?? 0);
  }

  /** @param {string} name */
  field(name) {
    const line = new RegExp(`^${name}: *(.*?) *$`, "im");
    return line.exec(this.head)?.[1] ?? null;
  }

  /** @param {string | Uint8Array} bytes */
  send(bytes) {
    if (!this.#connection.destroyed) this.#connection.write(bytes);
  }

  /** @param {Uint8Array} bytes @param {number} size of the pieces */
  async sendInPieces(bytes, size) {
    for (let at = 0; at < bytes.length; at += size) {
      this.send(bytes.subarray(at, at + size));
      // So that each is a piece of its own also in memory.
      await new Promise(setImmediate);
    }
  }

  pause() {
    this.#connection.pause();
  }

  resume() {
    this.#connection.resume();
  }

  /** Sends no more, and reads what still comes. */
  end() {
    this.#connection.end();
    this.#connection.resume();
  }

  leave() {
    this.#connection.destroy();
  }

  /**
   * @param {() => boolean} isThere
   * @param {string} complaint
   */
  async until(isThere, complaint) {
    const isOver = () => isThere() || this.#error !== undefined;
    if (!(await this.#change.waitUntil(isOver, PATIENCE))) {
      throw new Error(`${complaint}; ${this.#describe()}`);
    }
    if (this.#error !== undefined) throw this.#error;
  }

  /** @param {number} count */
  async untilFrames(count) {
    const isThere = () => this.frames.length >= count || this.isClosed;
    await this.until(isThere, `${count} frames did not come`);
  }

  async untilHead() {
    await this.until(() => this.head !== "" || this.isClosed, "no answer");
  }

  async untilEnd() {
    await this.until(() => this.isEnded || this.isClosed, "it did not end");
  }

  #describe() {
    const list = this.frames.map(
      ({ opcode, payload }) =>
        `${opcode} ${JSON.stringify(payload.toString("latin1", 0, 40))}`,
    );
    return `${this.head.split("\r\n")[0]}, frames: ${list.join(", ")}`;
  }
}

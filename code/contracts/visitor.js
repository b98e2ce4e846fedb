import { Condition } from "../../tools/lib/condition.js";
import { RawClient } from "./http/raw-client.js";
import { ResponseReader } from "./http/response-reader.js";

/**
 * @typedef {import("./http/response-reader.js").Response} Response
 * @typedef {{ port: number, host?: string }} Address
 */

/** How long a server may take over anything, in milliseconds. */
const PATIENCE = 5_000;

/** A client of a test: it sends bytes, and keeps what comes back. */
export class Visitor {
  #client;
  #reader;
  /** Something has come. */
  #change = new Condition();
  /** All bytes that have come. */
  bytes = Buffer.alloc(0);

  /**
   * @param {RawClient} client
   * @param {boolean} asksForHeads
   */
  constructor(client, asksForHeads) {
    this.#client = client;
    this.#reader = new ResponseReader(() => asksForHeads);
    client.onBytes((bytes) => {
      this.bytes = Buffer.concat([this.bytes, bytes]);
      this.#reader.push(bytes);
      this.#change.changed();
    });
    client.onEnd(() => {
      this.#reader.end();
      // Or else our half of the connection would keep the test running.
      client.destroy();
      this.#change.changed();
    });
  }

  /**
   * @param {Address} address
   * @param {{ asksForHeads?: boolean }} [options] whether its requests are
   *   HEAD, so that no body comes
   */
  static async connect(address, { asksForHeads = false } = {}) {
    return new Visitor(await RawClient.connect(address), asksForHeads);
  }

  /** What has been answered so far. */
  get responses() {
    return this.#reader.responses;
  }

  /** How the connection ended; "open" as long as it has not. */
  get ending() {
    return this.#client.ending;
  }

  /**
   * Resolves when the bytes are with the operating system.
   *
   * @param {string | Uint8Array} bytes a string is one byte per character
   */
  send(bytes) {
    return this.#client.write(bytes);
  }

  /** @param {string | Uint8Array} bytes each in a segment of its own */
  sendByteByByte(bytes) {
    return this.#client.writeByteByByte(bytes);
  }

  /** Has no more to say, and listens. */
  halfClose() {
    this.#client.halfClose();
  }

  /** Breaks the connection off. */
  reset() {
    this.#client.abort();
  }

  /** Closes the connection. */
  leave() {
    this.#client.destroy();
  }

  /**
   * @param {number} [count]
   * @returns {Promise<Response>} the last of so many responses
   * @throws {Error} when they don't come, or are none
   */
  async response(count = 1) {
    const isThere = () =>
      this.responses.length >= count ||
      this.#reader.error !== undefined ||
      this.ending !== "open";
    await this.#until(isThere, `response ${count} did not come`);
    if (this.#reader.error) throw this.#reader.error;
    if (this.responses.length >= count) return this.responses[count - 1];
    throw new Error(`the connection ended before response ${count}`);
  }

  /** @returns {Promise<"closed" | "reset">} when the server has closed */
  async end() {
    const isOver = () => this.ending !== "open";
    await this.#until(isOver, "the server did not close the connection");
    return /** @type {"closed" | "reset"} */ (this.ending);
  }

  /**
   * @param {() => boolean} isThere
   * @param {string} complaint
   */
  async #until(isThere, complaint) {
    if (await this.#change.waitUntil(isThere, PATIENCE)) return;
    const came = JSON.stringify(this.bytes.toString("latin1", 0, 500));
    throw new Error(`${complaint}; there came ${came}`);
  }
}

/**
 * Sends a request on a connection of its own, and leaves.
 *
 * @param {Address} address
 * @param {string | Uint8Array} bytes
 * @returns {Promise<Response>} the first
 */
export async function ask(address, bytes) {
  const visitor = await Visitor.connect(address);
  try {
    await visitor.send(bytes);
    return await visitor.response();
  } finally {
    visitor.leave();
  }
}

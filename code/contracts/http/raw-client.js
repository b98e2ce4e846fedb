import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

/**
 * A connection on which a test says exactly which bytes go out and when.
 * It knows nothing of HTTP: what comes in is handed on as it arrives.
 */
export class RawClient {
  #socket;
  /** How the connection ended; "open" as long as it has not. */
  ending = /** @type {"open" | "closed" | "reset"} */ ("open");
  #ended;

  /** @param {import("node:net").Socket} socket connected */
  constructor(socket) {
    this.#socket = socket;
    this.#ended = new Promise((resolve) => {
      const end = (/** @type {"closed" | "reset"} */ how) => {
        if (this.ending === "open") this.ending = how;
        resolve(this.ending);
      };
      socket.once("end", () => end("closed"));
      socket.once("close", () => end("closed"));
      // EPIPE is ours: we wrote after the server had closed. Whether the
      // server closed or reset is told by what comes in.
      socket.on("error", (error) => {
        const { code } = /** @type {NodeJS.ErrnoException} */ (error);
        if (code === "ECONNRESET") end("reset");
      });
    });
  }

  /**
   * @param {{ port: number, host?: string }} address
   * @returns {Promise<RawClient>}
   */
  static async connect({ port, host = "localhost" }) {
    // allowHalfOpen: a test decides itself when our half ends.
    const options = { port, host, noDelay: true, allowHalfOpen: true };
    const socket = connect(options);
    await once(socket, "connect");
    return new RawClient(socket);
  }

  /** @param {(bytes: Buffer) => void} listener called for what comes in */
  onBytes(listener) {
    this.#socket.on("data", listener);
  }

  /** @param {() => void} listener called once when the server has closed */
  onEnd(listener) {
    this.#ended.then(listener);
  }

  /**
   * Sends bytes and waits until they are with the operating system. Says
   * nothing when the server has closed already: the responses show that.
   *
   * @param {string | Uint8Array} bytes a string stands for one byte per
   *   character (latin1)
   */
  async write(bytes) {
    if (!this.#socket.writable) return;
    await new Promise((resolve) => {
      this.#socket.once("close", resolve);
      this.#socket.write(toBytes(bytes), () => {
        this.#socket.off("close", resolve);
        resolve(undefined);
      });
    });
  }

  /**
   * Sends each byte in a segment of its own. The millisecond between two of
   * them is what lets the server read one before the next is there.
   *
   * @param {string | Uint8Array} bytes
   */
  async writeByteByByte(bytes) {
    const all = toBytes(bytes);
    for (let i = 0; i < all.length; i++) {
      if (this.ending !== "open") return;
      await this.write(all.subarray(i, i + 1));
      await delay(1);
    }
  }

  /** Ends our half: the server reads end-of-file, and can still answer. */
  halfClose() {
    this.#socket.end();
  }

  /** Breaks the connection off: the server reads ECONNRESET. */
  abort() {
    this.#socket.resetAndDestroy();
  }

  /** Closes whatever is left of the connection. */
  destroy() {
    this.#socket.destroy();
  }
}

/**
 * @param {string | Uint8Array} bytes
 * @returns {Buffer}
 * @throws {RangeError} for a character that isn't one byte
 */
export function toBytes(bytes) {
  if (typeof bytes !== "string") return Buffer.from(bytes);
  for (const character of bytes) {
    if (character > "\xff") {
      throw new RangeError(
        `"${character}" is more than one byte: write Buffer.from("…")`,
      );
    }
  }
  return Buffer.from(bytes, "latin1");
}

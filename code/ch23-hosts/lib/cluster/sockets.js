import { lookup } from "node:dns/promises";
import net from "node:net";

// Behind the three that each process has, and the channel.
const FIRST_DESCRIPTOR = 4;
const MOST_SOCKETS = 16;

/** @typedef {{ port: number, host?: string }} Address */

/** The sockets that the workers listen on. They are the supervisor's. */
export class Sockets {
  /** @type {Map<string, net.BoundSocket>} */
  #sockets = new Map();

  /** @param {Address} address @returns {Promise<boolean>} whether it is ours */
  async open(address) {
    const key = keyOf(address);
    if (this.#sockets.has(key)) return true;
    if (this.#sockets.size === MOST_SOCKETS) return false;
    try {
      const socket = await bind(address);
      if (this.#sockets.has(key)) socket.close();
      else this.#sockets.set(key, socket);
      return true;
    } catch {
      // The worker's own attempt will say why.
      return false;
    }
  }

  get descriptors() {
    return Array.from(this.#sockets.values(), (each) => each.fd());
  }

  /** Where a worker finds them. @returns {Record<string, number>} */
  get places() {
    const keys = [...this.#sockets.keys()];
    return Object.fromEntries(
      keys.map((key, index) => [key, FIRST_DESCRIPTOR + index]),
    );
  }

  close() {
    for (const socket of this.#sockets.values()) socket.close();
    this.#sockets.clear();
  }
}

/** @param {Address} address */
export function keyOf({ port, host = "" }) {
  return `${host}|${Number(port)}`;
}

/** @param {Address} address */
async function bind({ port, host }) {
  if (host !== undefined) {
    const { address } = await lookup(host);
    return new net.BoundSocket({ port, host: address });
  }
  try {
    return new net.BoundSocket({ port, host: "::" });
  } catch (err) {
    if (err.code === "EADDRINUSE" || err.code === "EACCES") throw err;
    // A machine without IPv6.
    return new net.BoundSocket({ port, host: "0.0.0.0" });
  }
}

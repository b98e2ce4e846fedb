import { lookup } from "node:dns/promises";
import net from "node:net";

// After the three that each process has, and the channel.
const FIRST_DESCRIPTOR = 4;
const MOST_SOCKETS = 16;

/**
 * @typedef {{ port: number, host?: string, ipv6Only?: boolean }} Address
 */

/** The sockets that the workers listen on. They are the supervisor's. */
export class Sockets {
  /** @type {Map<string, net.BoundSocket>} */
  #sockets = new Map();
  #isClosed = false;

  /** @param {Address} address @returns {Promise<boolean>} whether it is ours */
  async open(address) {
    const key = keyOf(address);
    if (!this.#canTake(key)) return this.#sockets.has(key);
    try {
      const socket = await bind(address);
      // Another worker may have asked meanwhile.
      if (this.#canTake(key)) this.#sockets.set(key, socket);
      else socket.close();
    } catch {
      // The worker's own attempt will say why.
    }
    return this.#sockets.has(key);
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
    this.#isClosed = true;
    for (const socket of this.#sockets.values()) socket.close();
    this.#sockets.clear();
  }

  #canTake(key) {
    if (this.#isClosed || this.#sockets.has(key)) return false;
    return this.#sockets.size < MOST_SOCKETS;
  }
}

/** @param {Address} address */
export function keyOf({ port, host = "", ipv6Only }) {
  return `${host}|${port}${ipv6Only ? "|IPv6" : ""}`;
}

export function isPort(value) {
  return Number.isInteger(value) && value >= 0 && value <= 65_535;
}

/** @param {Address} address */
async function bind({ port, host, ipv6Only = false }) {
  if (host !== undefined) {
    const { address } = await lookup(host);
    return new net.BoundSocket({ port, host: address, ipv6Only });
  }
  try {
    return new net.BoundSocket({ port, host: "::", ipv6Only });
  } catch (err) {
    const isTaken = err.code === "EADDRINUSE" || err.code === "EACCES";
    if (isTaken || ipv6Only) throw err;
    // A machine without IPv6.
    return new net.BoundSocket({ port, host: "0.0.0.0" });
  }
}

import net from "node:net";
import { Connection } from "./connection.js";
import { readLimits } from "./limits.js";

/** @import { Limits } from "./limits.js" */
/** @import { Request } from "./request-parser.js" */
/** @import { Response } from "./response.js" */

/**
 * Makes a server that speaks HTTP/1.1.
 *
 * @param {(request: Request) => Response} handler
 * @param {{ limits?: Partial<Limits> }} [options]
 * @throws {TypeError} for a name or a value that no limit can have
 */
export function createServer(handler, options = {}) {
  const limits = readLimits(options.limits);
  /** @type {Set<Connection>} */
  const connections = new Set();
  // An answer must not wait for the next one to share a packet with it.
  const server = net.createServer({ noDelay: true }, (socket) => {
    const connection = new Connection(socket, handler, limits);
    connections.add(connection);
    socket.on("close", () => connections.delete(connection));
  });
  watchDeadlines(server, connections, limits);
  return server;
}

function watchDeadlines(server, connections, limits) {
  const shortest = Math.min(
    limits.idleTimeout,
    limits.headTimeout,
    limits.requestTimeout,
    limits.sendTimeout,
    limits.lingerTimeout,
  );
  const interval = Math.min(shortest / 10, 1_000);
  const timer = setInterval(() => {
    const now = performance.now();
    for (const connection of connections) connection.checkDeadline(now);
  }, interval);
  // The timer alone is no reason to keep the process running.
  timer.unref();
  server.on("close", () => clearInterval(timer));
}

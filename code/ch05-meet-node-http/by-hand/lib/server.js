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
 * @returns {net.Server}
 * @throws {TypeError} for a limit that is none
 */
export function createServer(handler, options = {}) {
  const limits = readLimits(options.limits);
  /** @type {Set<Connection>} */
  const connections = new Set();
  // The client may close its side and still wait for an answer.
  const server = net.createServer({ allowHalfOpen: true }, (socket) => {
    const connection = new Connection(socket, handler, limits);
    connections.add(connection);
    socket.on("close", () => connections.delete(connection));
  });
  watchDeadlines(server, connections, limits);
  return server;
}

/**
 * @param {net.Server} server
 * @param {Set<Connection>} connections
 * @param {Limits} limits
 */
function watchDeadlines(server, connections, limits) {
  const { headTimeout, requestTimeout, idleTimeout } = limits;
  const shortest = Math.min(headTimeout, requestTimeout, idleTimeout);
  const timer = setInterval(() => {
    const now = Date.now();
    for (const connection of connections) connection.checkDeadline(now);
  }, shortest / 10);
  // The timer alone is no reason to keep the process running.
  timer.unref();
  server.on("close", () => clearInterval(timer));
}

import { once } from "node:events";
import { Program } from "../program.js";

/**
 * @typedef {import("./cases/building-blocks.js").Limits} Limits
 *
 * @typedef {object} RunningServer
 * @property {number} port
 * @property {string} [host] localhost unless said
 * @property {number} [pid] of a program
 * @property {() => Promise<void>} close resolves when it is gone
 *
 * @typedef {((options: { limits: Limits }) => Promise<RunningServer>)
 *   & { takesLimits?: boolean }} Start
 *   takesLimits: false for a server that can't be told its limits; cases
 *   that set some are then skipped
 */

/**
 * Starts `node server.js` in a milestone's folder, on a free port.
 *
 * @param {string | URL} folder
 * @param {string} [file] the program, in that folder
 * @returns {Start} its server has the limits that it has: cases that set
 *   others are left out
 */
export function startProgram(folder, file = "server.js") {
  const start = async () => {
    const program = await Program.start(folder, file);
    const { port, pid } = program;
    return { port, pid, close: () => program.close() };
  };
  return Object.assign(start, { takesLimits: false });
}

/**
 * Starts a server inside this process.
 *
 * @param {(options: { limits: Limits }) => import("node:net").Server} create
 *   makes a server that does not listen yet
 * @returns {Start}
 */
export function startServer(create) {
  return async ({ limits }) => {
    const server = create({ limits });
    /** @type {Set<import("node:net").Socket>} */
    const sockets = new Set();
    server.on("connection", (socket) => {
      sockets.add(socket);
      socket.once("close", () => sockets.delete(socket));
    });
    server.listen(0);
    await once(server, "listening");
    const { port } = /** @type {import("node:net").AddressInfo} */ (
      server.address()
    );
    const close = async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    };
    return { port, close };
  };
}

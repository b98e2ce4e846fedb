/** @import { Server, Socket } from "node:net" */

/** @type {WeakMap<Server, Set<Socket>>} */
const known = new WeakMap();

/**
 * The connections of a server, also those on which no HTTP is spoken any
 * more. The first call begins to watch for them.
 *
 * @param {Server} server
 */
export function connectionsOf(server) {
  const sockets = known.get(server) ?? new Set();
  if (known.has(server)) return sockets;
  known.set(server, sockets);
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  return sockets;
}

/** @param {Set<Socket>} sockets */
export async function untilEmpty(sockets) {
  while (sockets.size > 0) {
    const [socket] = sockets;
    await new Promise((resolve) => socket.once("close", resolve));
  }
}

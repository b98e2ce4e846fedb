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
  const watched = known.get(server);
  if (watched !== undefined) return watched;
  const sockets = new Set();
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

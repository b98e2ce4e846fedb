import { once } from "node:events";

/**
 * Takes what comes by a connection in small pieces, and nothing between two
 * of them.
 *
 * @param {import("./socket.js").MemorySocket} connection
 * @param {number} bytesPerTurn at most
 */
export async function* throttle(connection, bytesPerTurn) {
  while (!connection.readableEnded && !connection.destroyed) {
    const size = Math.min(bytesPerTurn, connection.readableLength);
    const chunk = size > 0 ? connection.read(size) : connection.read();
    if (chunk !== null) yield chunk;
    else if (!connection.readableEnded) await change(connection);
  }
}

function change(connection) {
  const abort = new AbortController();
  const { signal } = abort;
  const events = ["readable", "end", "close"].map((name) => {
    return once(connection, name, { signal });
  });
  const first = Promise.race(events).finally(() => abort.abort());
  for (const event of events) event.catch(() => {});
  return first;
}

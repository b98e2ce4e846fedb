/** @import { Request } from "./request.js" */

/** How long a client may go on sending behind its last answer, in ms. */
const LINGER_TIMEOUT = 5_000;

/**
 * Sees that a body does no harm to the connection.
 *
 * @param {Request} req
 * @param {(err: unknown) => void} fail answers for an error
 */
export function watchBody(req, fail) {
  if (req.bodyLength === 0) return;
  // Written straight into a property, V8 would keep it, and the request.
  const answer = (err) => {
    if (!req.res?.writableEnded) fail(err);
  };
  req.onUnheard = answer;
  const { socket } = req;
  const close = () => closeInStages(socket, req);
  // Node calls this when the last answer of a connection is done.
  socket.destroySoon = close;
}

// RFC 9112, section 9.6.
export function closeInStages(socket, req) {
  if (!req.complete) req.dropBody();
  socket.end();
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), LINGER_TIMEOUT);
  socket.once("close", () => clearTimeout(timer));
}

import { closeInStages } from "../request/watch.js";
import { Response } from "../response/response.js";

/** @import { Server } from "node:http" */

/** @type {(socket: object) => undefined} */
const noEarlier = () => undefined;

/**
 * The answers that may still be on their way when a connection is handed
 * over: node:http doesn't wait for them.
 *
 * @param {Server<any, any>} server
 * @returns {(socket: object) => Response | undefined} the last one
 */
export function lastAnswers(server) {
  /** @type {WeakMap<object, Response>} */
  const answers = new WeakMap();
  server.on("request", (req, res) => {
    if (req.handover === null) answers.set(req.keptSocket, res);
  });
  return (socket) => answers.get(socket);
}

/**
 * Lets requests for a WebSocket go the way of all requests, with an answer
 * that can hand the connection over.
 *
 * @param {Server<any, any>} server
 * @param {(err: unknown, req: any) => void} onError
 * @param {(socket: object) => Response | undefined} [lastOn] tells which
 *   answer to wait for
 */
export function takeUpgrades(server, onError, lastOn = noEarlier) {
  server.on("upgrade", (req, socket, head) => {
    // Node has taken its listener for errors away, and an error without
    // a listener would end the process.
    socket.on("error", ignore);
    const begin = () => {
      if (!socket.writable) return;
      req.handover = { head, onError };
      server.emit("request", req, answerOn(socket, req));
    };
    const earlier = lastOn(socket);
    if (earlier === undefined || earlier.closed) begin();
    else earlier.once("close", begin);
  });
}

function ignore() {}

// What node:http does for other answers.
function answerOn(socket, req) {
  const res = new Response(req);
  const drain = () => res.emit("drain");
  res.shouldKeepAlive = false;
  res.assignSocket(socket);
  // The timeout was for requests.
  socket.setTimeout(0);
  socket.on("drain", drain);
  res.once("finish", () => {
    socket.off("drain", drain);
    res.detachSocket(socket);
    if (res.statusCode !== 101) closeInStages(socket, req);
    process.nextTick(() => res.emit("close"));
  });
  return res;
}

import { closeInStages } from "../request/watch.js";
import { newestAnswer } from "../response/newest.js";
import { Response } from "../response/response.js";

/** @import { Server } from "node:http" */

/**
 * Lets requests for a WebSocket go the way of all requests, with an answer
 * that can hand the connection over.
 *
 * @param {Server<any, any>} server
 * @param {(err: unknown, req: any) => void} onError
 */
export function takeUpgrades(server, onError) {
  server.on("upgrade", (req, socket, head) => {
    // Node has taken its listener for errors away, and an error without
    // a listener would end the process.
    socket.on("error", ignore);
    const begin = () => {
      if (!socket.writable) return;
      req.handover = { head, onError };
      server.emit("request", req, answerOn(socket, req));
    };
    const earlier = newestAnswer(socket);
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

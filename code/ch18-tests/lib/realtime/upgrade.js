import { closeInStages } from "../request/watch.js";
import { Response } from "../response/response.js";

/** @import { Server } from "node:http" */

// How much a client may send before it has its answer.
const EARLY_BYTES = 64 * 1024;

/**
 * Lets requests for a WebSocket go the way of all requests, with an answer
 * that can hand the connection over.
 *
 * @param {Server<any, any>} server
 * @param {(err: unknown, req: any) => void} onError
 */
export function takeUpgrades(server, onError) {
  server.on("upgrade", (req, socket, rest) => {
    // Two can't answer on one socket.
    if (server.listenerCount("upgrade") > 1) return;
    // Node has taken its listener for errors away, and an error without
    // a listener would end the process.
    socket.on("error", ignore);
    socket.on("drain", passDrain);
    const takeEarly = readEarly(socket, rest);
    inTurn(socket, () => {
      req.handover = { takeEarly, onError };
      server.emit("request", req, answerOn(socket, req));
    });
  });
}

function inTurn(socket, begin) {
  if (!socket.writable) return;
  // When an answer closes, node:http has put the next one there.
  const answer = socket._httpMessage;
  if (answer) answer.once("close", () => inTurn(socket, begin));
  else begin();
}

function ignore() {}

/** To the answer that is being sent. @this {any} */
function passDrain() {
  const res = this._httpMessage;
  if (!res?.writableNeedDrain) return;
  for (const symbol of Object.getOwnPropertySymbols(res)) {
    if (symbol.description === "kNeedDrain") res[symbol] = false;
  }
  res.emit("drain");
}

// Whoever doesn't read a socket doesn't see that its client has left.
function readEarly(socket, rest) {
  let early = rest;
  const keep = (chunk) => {
    early = Buffer.concat([early, chunk]);
    if (early.length > EARLY_BYTES) socket.destroy();
  };
  const end = () => socket.end();
  socket.on("data", keep);
  socket.on("end", end);
  return () => {
    socket.off("data", keep);
    socket.off("end", end);
    return early;
  };
}

// What node:http does for other answers.
function answerOn(socket, req) {
  const res = new Response(req);
  res.shouldKeepAlive = false;
  res.assignSocket(socket);
  // The timeout was for requests.
  socket.setTimeout(0);
  res.once("finish", () => {
    res.detachSocket(socket);
    if (res.statusCode !== 101) {
      req.handover.takeEarly();
      closeInStages(socket, req);
    }
    process.nextTick(() => res.emit("close"));
  });
  return res;
}

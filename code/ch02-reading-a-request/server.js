import { createServer } from "node:net";
import { describeRequest } from "./lib/describe-request.js";
import { HttpError } from "./lib/errors.js";
import { keepsAlive } from "./lib/head.js";
import { parseRequest } from "./lib/parse-request.js";
import { formatHead } from "./lib/response.js";

/** @import { Socket } from "node:net" */
/** @import { Request } from "./lib/parse-request.js" */

const server = createServer((socket) => {
  // The client hung up. There is nobody left to tell.
  socket.on("error", () => {});
  socket.on("data", (chunk) => {
    // The last answer has been given (RFC 9112, section 9.6).
    if (socket.writableEnded) return;
    try {
      answer(socket, parseRequest(chunk));
    } catch (err) {
      refuse(socket, err);
    }
  });
});

/**
 * @param {Socket} socket
 * @param {Request} request
 */
function answer(socket, request) {
  const isLast = !keepsAlive(request);
  const response = describeRequest(request);
  const head = formatHead(response, isLast);
  const isHead = request.method === "HEAD";
  socket.write(isHead ? head : head + response.body);
  if (isLast) socket.end();
}

/**
 * @param {Socket} socket
 * @param {unknown} err
 */
function refuse(socket, err) {
  if (!(err instanceof HttpError)) throw err;
  const body = `${err.message}\n`;
  const fields = { "content-type": "text/plain" };
  const response = { statusCode: err.statusCode, fields, body };
  socket.end(formatHead(response, true) + body);
}

server.listen(Number(process.env.PORT ?? 3000), () => {
  console.log(`listening on http://localhost:${server.address().port}`);
});

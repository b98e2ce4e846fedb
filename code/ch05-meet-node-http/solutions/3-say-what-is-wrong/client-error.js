import { STATUS_CODES } from "node:http";

/** @import { Socket } from "node:net" */

/** What a client did wrong, by Node's code for it. */
const REFUSALS = {
  HPE_HEADER_OVERFLOW: [431, "the fields are too long"],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, "the extensions are too long"],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "the request takes too long"],
};

/** How long a refused client may go on sending, in milliseconds. */
const LINGER = 1_000;

/**
 * Answers what is no request, and closes.
 *
 * @param {NodeJS.ErrnoException} err
 * @param {Socket} socket
 */
export function answerClientError(err, socket) {
  // The client has hung up, or has been told already.
  if (!socket.writable) return;
  const [statusCode, message] = REFUSALS[err.code] ?? [
    400,
    "this is no request",
  ];
  const body = `${message}\n`;
  socket.end(
    `HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode]}\r\n` +
      "content-type: text/plain\r\n" +
      `content-length: ${Buffer.byteLength(body)}\r\n` +
      `date: ${new Date().toUTCString()}\r\n` +
      "connection: close\r\n" +
      "\r\n" +
      body,
  );
  // To hang up at once could take the answer away from the client.
  setTimeout(() => socket.destroy(), LINGER);
}

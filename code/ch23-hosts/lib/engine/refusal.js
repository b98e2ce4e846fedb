import { STATUS_CODES } from "../http.js";

/** @import { HttpError } from "../errors.js" */

/**
 * The last answer to a client whose bytes are no request.
 *
 * @param {HttpError} err
 * @param {boolean} isHead whether only a head is asked for
 */
export function refusalOf({ statusCode, message }, isHead) {
  const body = `${message}\n`;
  return [
    `HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode]}`,
    `Date: ${new Date().toUTCString()}`,
    "Connection: close",
    "Content-Type: text/plain; charset=utf-8",
    `Content-Length: ${body.length}`,
    "",
    isHead ? "" : body,
  ].join("\r\n");
}

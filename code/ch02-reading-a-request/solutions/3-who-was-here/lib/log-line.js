/**
 * A line of the Common Log Format.
 *
 * @param {object} answer
 * @param {string} answer.address the client's
 * @param {Date} answer.time
 * @param {string} [answer.requestLine] if it could be read
 * @param {number} answer.statusCode
 * @param {number} answer.length of the body that was sent, in bytes
 * @returns {string}
 */
export function formatLogLine(answer) {
  const { address, time, requestLine = "-", statusCode, length } = answer;
  const [, day, month, year, clock] = time.toUTCString().split(" ");
  const when = `${day}/${month}/${year}:${clock} +0000`;
  // A target may have a quotation mark in it, which must not end ours.
  const quoted = `"${requestLine.replace(/["\\]/g, "\\$&")}"`;
  return `${address} - - [${when}] ${quoted} ${statusCode} ${length}`;
}

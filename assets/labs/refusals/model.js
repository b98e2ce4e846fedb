/** Bytes for chapter 4's parser, and what it says to them. */

import { bytesOf } from "../bytes.js";

/**
 * @typedef {object} Outcome
 * @property {Buffer} bytes all that were sent
 * @property {any[]} requests those that were taken
 * @property {{ statusCode: number, message: string, index: number } | null} refusal
 *   with the place of the byte at which it came
 * @property {boolean} isWaiting has a request begun and not ended?
 */

/** More than that nobody has to send to see a refusal. */
const mostBytes = 6_000_000;

/**
 * What a reader types: the arguments of a command with raw.js, without the
 * pauses, or bytes without quotes.
 *
 * @param {string} text
 * @returns {Buffer}
 */
export function readCommand(text) {
  const command = text.replace(/^\s*(\$ )?node raw\.js /, "");
  if (!command.includes("'")) return bytesOf(command);
  const words = [...command.matchAll(/'[^']*'|\||[^\s'|]+/g)].map(([word]) => word);
  const pipe = words.indexOf("|");
  const pieces = words
    .slice(0, pipe === -1 ? words.length : pipe)
    .filter((word) => !/^(\d+(ms|s)|end|reset)$/.test(word))
    .map((word) => bytesOf(word.replaceAll("'", "")));
  return Buffer.concat(pieces).subarray(0, mostBytes);
}

/**
 * Sends bytes one by one, and stops at the one that is refused.
 *
 * @param {any} module the milestone's request-parser.js
 * @param {Buffer} bytes
 * @returns {Outcome}
 */
export function send(module, bytes) {
  /** @type {any[]} */
  const requests = [];
  const parser = new module.RequestParser({
    onRequest(/** @type {any} */ request) {
      requests.push(request);
    },
  });
  for (let index = 0; index < bytes.length; index += 1) {
    try {
      parser.push(bytes.subarray(index, index + 1));
    } catch (err) {
      const { statusCode, message } = /** @type {any} */ (err);
      if (statusCode === undefined) throw err;
      return { bytes, requests, refusal: { statusCode, message, index }, isWaiting: false };
    }
  }
  return { bytes, requests, refusal: null, isWaiting: !parser.isBetweenRequests };
}

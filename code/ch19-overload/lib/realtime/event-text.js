import { show, UsageError } from "../errors.js";

/**
 * @typedef {object} ServerEvent
 * @property {string} [id] a client that comes back reports the last one
 * @property {string} [event] its type; `message` if there is none
 * @property {any} [data] a text, or what JSON has a form for
 * @property {number} [retry] milliseconds until a client comes back
 */

// Each of them ends a line.
const LINE_END = /\r\n|\r|\n/;

/**
 * Writes an event (HTML Standard, section 9.2.5).
 *
 * @param {ServerEvent} event
 * @throws {UsageError} ERR_EVENT_INVALID
 * @throws {TypeError} JSON.stringify's, for a BigInt or a circle in `data`
 */
export function eventText({ id, event, data, retry }) {
  let text = "";
  if (event !== undefined) text += `event: ${checkLine("event", event)}\n`;
  if (id !== undefined) text += `id: ${checkLine("id", id)}\n`;
  if (retry !== undefined) text += `retry: ${checkRetry(retry)}\n`;
  if (data !== undefined) text += linesOf("data", dataText(data));
  return `${text}\n`;
}

/** Writes what a client ignores. */
export function commentText(text) {
  return `${linesOf("", text)}\n`;
}

function linesOf(field, text) {
  const lines = text.split(LINE_END);
  return lines.map((line) => `${field}: ${line}\n`).join("");
}

function dataText(data) {
  if (typeof data === "string") return data;
  const json = JSON.stringify(data);
  if (json !== undefined) return json;
  throw invalid("data", data, "JSON has no form for it");
}

// A client ignores an id with a NUL in it.
function checkLine(field, value) {
  if (typeof value === "string" && !/[\r\n\0]/.test(value)) return value;
  throw invalid(field, value, "it must be one line without a NUL");
}

function checkRetry(value) {
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw invalid("retry", value, "it must be a whole number");
}

function invalid(field, value, why) {
  return new UsageError("ERR_EVENT_INVALID", field, show(value), why);
}

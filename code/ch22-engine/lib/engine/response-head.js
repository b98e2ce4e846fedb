import {
  STATUS_CODES,
  validateHeaderName,
  validateHeaderValue,
} from "../http.js";

// Names as programs write them are checked once. There is a limit, so that
// a program that makes names doesn't fill the memory.
const MOST_NAMES = 1_000;
const MOST_CHARACTERS = 200;

// node:http acts on what these say.
const SPECIAL =
  /^(connection|date|expect|keep-alive|trailer|transfer-encoding|upgrade)$/i;

/** @type {Map<string, FieldName>} */
const names = new Map();

// A name, and the last line that was made with it.
class FieldName {
  #name;
  #value = "";
  #line = "";
  #isKept;

  constructor(name) {
    validateHeaderName(name);
    this.#name = name;
    this.#isKept = !/^set-cookie$/i.test(name);
    this.isSpecial = SPECIAL.test(name);
    this.isLength = /^content-length$/i.test(name);
  }

  lineWith(value) {
    if (value === this.#value && this.#line !== "") return this.#line;
    const isText = typeof value === "string";
    // A number has no line break.
    if (typeof value !== "number") validateHeaderValue(this.#name, value);
    const line = `${this.#name}: ${value}\r\n`;
    if (isText && this.#isKept && value.length < MOST_CHARACTERS) {
      this.#value = value;
      this.#line = line;
    }
    return line;
  }
}

export function fieldName(name) {
  const known = names.get(name);
  if (known !== undefined) return known;
  const field = new FieldName(name);
  if (names.size < MOST_NAMES) names.set(name, field);
  return field;
}

// As it was when this was loaded: a test's own clock may stop for good.
const { setTimeout } = globalThis;

/** @type {Map<number, string>} */
const statusLines = new Map();

export function statusLine(statusCode) {
  const known = statusLines.get(statusCode);
  if (known !== undefined) return known;
  const reason = STATUS_CODES[statusCode] ?? "unknown";
  const line = `HTTP/1.1 ${statusCode} ${reason}\r\n`;
  statusLines.set(statusCode, line);
  return line;
}

// A program may have servers with several timeouts.
/** @type {Map<number, string>} */
const ends = new Map();

/** The lines that stay the same for a second. @param {number} timeout ms */
export function headEnd(timeout) {
  const known = ends.get(timeout);
  if (known !== undefined) return known;
  const now = new Date();
  const seconds = Math.floor(timeout / 1000);
  const keepAlive = timeout > 0 ? `Keep-Alive: timeout=${seconds}\r\n` : "";
  const end =
    `Date: ${now.toUTCString()}\r\n` +
    `Connection: keep-alive\r\n${keepAlive}\r\n`;
  if (ends.size === 0) {
    const forget = () => ends.clear();
    setTimeout(forget, 1000 - now.getMilliseconds()).unref();
  }
  ends.set(timeout, end);
  return end;
}

import { isIPv6 } from "node:net";
import { HttpError } from "./errors.js";

/** @import { Request } from "./request-parser.js" */

// What names are made of (RFC 9110, section 5.6.2).
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

// Visible ASCII but "#", \x23: no fragment is ever sent (RFC 9110, 7.1).
const TARGET = /^[\x21\x22\x24-\x7e]+$/;

const VERSION = /^HTTP\/(\d)\.\d$/;

// A method's first letter, or an empty line. Its LF may not be there yet.
const BEGINNING = /^(?:[!#$%&'*+\-.^_`|~0-9A-Za-z]|\r(?:\n|$))/;

// Not CONNECT, which asks a proxy for a tunnel.
const METHODS = new Set(
  "GET HEAD POST PUT PATCH DELETE OPTIONS TRACE".split(" "),
);

// Visible characters, spaces, tabs, and bytes from 0x80 up: no other
// control character (RFC 9110, section 5.5).
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

// An address or a name, and perhaps a port (RFC 3986, section 3.2). A
// name could have a comma there. Here that is the trace of two lines.
const HOST =
  /^(?:\[([\da-f:.]+)\]|(?:[\w\-.~!$&'()*+;=]|%[\da-f]{2})*)(?::\d*)?$/i;

// A whole address, as one sends it to a proxy.
const ABSOLUTE = /^https?:\/\/([^/?:][^/?]*)/i;

/**
 * Takes a request line apart (RFC 9112, section 3).
 *
 * @param {string} line without its CR LF
 * @returns {{ method: string, target: string, version: string }}
 * @throws {HttpError} 400, 501 or 505
 */
export function parseRequestLine(line) {
  const afterMethod = line.indexOf(" ");
  const beforeVersion = line.lastIndexOf(" ");
  const method = line.slice(0, afterMethod);
  const target = line.slice(afterMethod + 1, beforeVersion);
  const protocol = line.slice(beforeVersion + 1);
  const protocolVersion = VERSION.exec(protocol);
  if (protocolVersion === null) {
    throw new HttpError(400, "a request line ends in HTTP/1.1");
  }
  if (protocolVersion[1] !== "1") {
    throw new HttpError(505, "this server speaks HTTP/1");
  }
  if (afterMethod === beforeVersion) {
    throw new HttpError(400, "a request line has two spaces");
  }
  if (!TOKEN.test(method)) {
    throw new HttpError(400, "a method is a token");
  }
  if (!METHODS.has(method)) {
    throw new HttpError(501, "this server does not know the method");
  }
  if (!TARGET.test(target)) {
    throw new HttpError(400, "a target is visible ASCII without #");
  }
  checkForm(method, target);
  return { method, target, version: protocol.slice("HTTP/".length) };
}

// Of a target (RFC 9112, section 3.2).
function checkForm(method, target) {
  if (target.startsWith("/") || ABSOLUTE.test(target)) return;
  if (target === "*" && method === "OPTIONS") return;
  throw new HttpError(400, "a target begins with a slash");
}

/** @param {string} text the first characters of a request */
export function checkBeginning(text) {
  if (BEGINNING.test(text)) return;
  throw new HttpError(400, "a request begins with a method");
}

function isHost(text) {
  const match = HOST.exec(text);
  if (match === null) return false;
  const [, address] = match;
  return address === undefined || isIPv6(address);
}

/**
 * Takes a field line apart (RFC 9112, section 5).
 *
 * @param {string} line without its CR LF
 * @returns {{ name: string, value: string }} the name in lower case
 * @throws {HttpError} 400
 */
export function parseFieldLine(line) {
  const colon = line.indexOf(":");
  const name = line.slice(0, colon);
  const value = trimWhitespace(line.slice(colon + 1));
  if (colon === -1 || !TOKEN.test(name)) {
    throw new HttpError(400, "a field line is a name, a colon, a value");
  }
  if (!FIELD_VALUE.test(value)) {
    throw new HttpError(400, "a control character in a field value");
  }
  return { name: name.toLowerCase(), value };
}

// String.prototype.trim would also cut the byte 0xa0, a part of the value.
function trimWhitespace(text) {
  let start = 0;
  let end = text.length;
  while (start < end && isWhitespace(text.charCodeAt(start))) start++;
  while (end > start && isWhitespace(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

function isWhitespace(code) {
  return code === 0x20 || code === 0x09;
}

/**
 * Adds a field to those that came before it (RFC 9110, section 5.3).
 *
 * @param {Record<string, string | string[]>} fields
 * @param {string} name in lower case
 * @param {string} value
 */
export function addField(fields, name, value) {
  const earlier = fields[name];
  if (name === "set-cookie") {
    fields[name] = [...(earlier ?? []), value];
  } else if (earlier === undefined) {
    fields[name] = value;
  } else {
    // RFC 9113, section 8.2.3
    const separator = name === "cookie" ? "; " : ", ";
    fields[name] = earlier + separator + value;
  }
}

/**
 * A request names one host, and the target's goes before the field's
 * (RFC 9112, sections 3.2 and 3.2.2).
 *
 * @param {Request} request
 * @throws {HttpError} 400
 */
export function settleHost({ target, version, fields }) {
  if (fields.host === undefined && version !== "1.0") {
    throw new HttpError(400, "a request names its Host");
  }
  const [, targetHost] = ABSOLUTE.exec(target) ?? [];
  for (const host of [fields.host, targetHost]) {
    if (host !== undefined && !isHost(String(host))) {
      throw new HttpError(400, "a host is one name, perhaps with a port");
    }
  }
  if (targetHost !== undefined) fields.host = targetHost;
}

/**
 * Does the client wait for a word before it sends the body?
 *
 * @param {Request} request
 * @returns {boolean}
 * @throws {HttpError} 417
 */
export function expectsContinue({ version, fields }) {
  if (fields.expect === undefined || version === "1.0") return false;
  const expectations = listMembers(fields.expect);
  if (expectations.some((one) => one !== "100-continue")) {
    throw new HttpError(417, "only 100-continue can be expected");
  }
  return expectations.length > 0;
}

/**
 * The members of a field whose value is a list, in lower case. Empty
 * ones don't count (RFC 9110, section 5.6.1).
 *
 * @param {string | string[]} value
 * @returns {string[]}
 */
export function listMembers(value) {
  return String(value)
    .toLowerCase()
    .split(",")
    .map(trimWhitespace)
    .filter((member) => member !== "");
}

/**
 * May another request follow on this connection? (RFC 9112, section 9.3)
 *
 * @param {Request} request
 * @returns {boolean}
 */
export function keepsAlive({ version, fields }) {
  if (fields.connection === undefined) return version !== "1.0";
  const options = listMembers(fields.connection);
  if (options.includes("close")) return false;
  return version !== "1.0" || options.includes("keep-alive");
}

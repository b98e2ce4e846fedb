import { HttpError } from "./errors.js";

/** @import { Request } from "./request-parser.js" */

// What names are made of (RFC 9110, section 5.6.2).
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

// Visible ASCII but "#", \x23: no fragment is ever sent (RFC 9110, 7.1).
const TARGET = /^[\x21\x22\x24-\x7e]+$/;

const VERSION = /^HTTP\/1\.\d$/;

// Visible characters, spaces, tabs, and bytes from 0x80 up: no other
// control character (RFC 9110, section 5.5).
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * Takes a request line apart (RFC 9112, section 3).
 *
 * @param {string} line without its CR LF
 * @returns {{ method: string, target: string, version: string }}
 * @throws {HttpError} 400
 */
export function parseRequestLine(line) {
  const afterMethod = line.indexOf(" ");
  const beforeVersion = line.lastIndexOf(" ");
  const method = line.slice(0, afterMethod);
  const target = line.slice(afterMethod + 1, beforeVersion);
  const protocol = line.slice(beforeVersion + 1);
  if (!VERSION.test(protocol)) {
    throw new HttpError(400, "a request line ends in HTTP/1.1");
  }
  if (afterMethod === beforeVersion) {
    throw new HttpError(400, "a request line has two spaces");
  }
  if (!TOKEN.test(method)) {
    throw new HttpError(400, "a method is a token");
  }
  if (!TARGET.test(target)) {
    throw new HttpError(400, "a target is visible ASCII without #");
  }
  return { method, target, version: protocol.slice("HTTP/".length) };
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
  return text.replace(/^[ \t]+|[ \t]+$/g, "");
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
    fields[name] = `${earlier}, ${value}`;
  }
}

/**
 * May another request follow on this connection? (RFC 9112, section 9.3)
 *
 * @param {Request} request
 * @returns {boolean}
 */
export function keepsAlive({ version, fields }) {
  if (fields.connection === undefined) return version !== "1.0";
  const options = String(fields.connection)
    .toLowerCase()
    .split(",")
    .map(trimWhitespace);
  if (options.includes("close")) return false;
  return version !== "1.0" || options.includes("keep-alive");
}

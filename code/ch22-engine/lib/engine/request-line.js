import { HttpError } from "../errors.js";
import { METHODS } from "../http.js";
import { CR, LF } from "./bytes.js";

const DOT = 0x2e;
const ZERO = 0x30;
const ONE = 0x31;

const HTTP = Buffer.from("HTTP/");
const KNOWN_METHODS = new Set(METHODS);

/** @throws {HttpError} 501 */
export function readMethod(bytes, start, end) {
  const isGet =
    end - start === 3 &&
    bytes[start] === 0x47 &&
    bytes[start + 1] === 0x45 &&
    bytes[start + 2] === 0x54;
  // G, E and T: most requests have this method.
  if (isGet) return "GET";
  const method = bytes.latin1Slice(start, end);
  if (KNOWN_METHODS.has(method)) return method;
  throw new HttpError(501, "this server does not know the method");
}

// RFC 9112, section 3.2: a target that is no path.
export function checkTarget(method, target) {
  if (/^https?:\/\//i.test(target) || method === "CONNECT") return;
  if (method === "OPTIONS" && target === "*") return;
  throw new HttpError(400, "a target begins with a slash");
}

// `HTTP/1.1`, CR and LF: gives the digit after the dot.
export function readVersion(bytes, start) {
  checkVersionPart(bytes, start, start + 5);
  const major = bytes[start + 5];
  const minor = bytes[start + 7];
  const isVersion =
    isDigit(major) &&
    bytes[start + 6] === DOT &&
    isDigit(minor) &&
    bytes[start + 8] === CR &&
    bytes[start + 9] === LF;
  if (!isVersion) throw new HttpError(400, "the line ends in HTTP/1.1");
  if (major !== ONE) throw new HttpError(505, "this server speaks HTTP/1");
  return minor === ZERO ? 0 : 1;
}

// What may still become a version.
export function checkVersionPart(bytes, start, end) {
  for (let i = start; i < end && i < start + HTTP.length; i += 1) {
    if (bytes[i] === HTTP[i - start]) continue;
    throw new HttpError(400, "the line ends in HTTP/1.1");
  }
}

function isDigit(byte) {
  return byte >= ZERO && byte <= ZERO + 9;
}

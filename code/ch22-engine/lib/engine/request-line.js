import { HttpError } from "../errors.js";
import { METHODS } from "../http.js";

const ZERO = 0x30;
const ONE = 0x31;

// Each 1 stands for a digit.
const LINE_END = Buffer.from("HTTP/1.1\r\n");
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

// `HTTP/1.1`, CR and LF: gives 0 for HTTP/1.0, and 1 for a later one.
export function readVersion(bytes, start) {
  checkVersion(bytes, start, start + LINE_END.length);
  const isOne = bytes[start + 5] === ONE;
  if (!isOne) throw new HttpError(505, "this server speaks HTTP/1");
  return bytes[start + 7] === ZERO ? 0 : 1;
}

// Also of a part that may still become a version.
export function checkVersion(bytes, start, end) {
  for (let i = start; i < end; i += 1) {
    const byte = bytes[i];
    const wanted = LINE_END[i - start];
    if (byte === wanted || (wanted === ONE && isDigit(byte))) continue;
    throw new HttpError(400, "the line ends in HTTP/1.1");
  }
}

function isDigit(byte) {
  return byte >= ZERO && byte <= ZERO + 9;
}

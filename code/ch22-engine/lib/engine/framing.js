import { HttpError } from "../errors.js";
import { isWord } from "./bytes.js";
import { trim } from "./white-space.js";

// Lengths of the field names that matter here.
const LENGTHS = new Uint8Array(256);
for (const length of [4, 6, 7, 10, 14, 17]) LENGTHS[length] = 1;

/** What a head says of its host, the connection and the body's end. */
export class Framing {
  /** @type {string | undefined} */
  host = undefined;
  /** In bytes: NaN if the body comes in chunks. */
  bodyLength = 0;
  keepsAlive = true;
  /** The field Expect. */
  expects = "";
  asksForUpgrade = false;

  #contentLength = "";
  #transferEncoding = "";
  #connection = "";
  #hasUpgrade = false;

  begin() {
    this.host = undefined;
    this.expects = "";
    this.#contentLength = "";
    this.#transferEncoding = "";
    this.#connection = "";
    this.#hasUpgrade = false;
  }

  /** Takes a field line: its name, and its value without white space. */
  note(bytes, start, nameEnd, valueStart, valueEnd) {
    const length = nameEnd - start;
    if (LENGTHS[length] !== 1) return;
    const is = (word) =>
      length === word.length && isWord(bytes, start, word);
    const value = () => bytes.latin1Slice(valueStart, valueEnd);
    if (is("host")) {
      if (this.host !== undefined) {
        throw new HttpError(400, "a request names one Host");
      }
      this.host = hostAt(bytes, valueStart, valueEnd);
    } else if (is("connection")) {
      // Browsers send it with each request, and no copy is made of it.
      const isUsual =
        valueEnd - valueStart === 10 &&
        isWord(bytes, valueStart, "keep-alive");
      const option = isUsual ? "keep-alive" : value();
      this.#connection = join(this.#connection, option);
    } else if (is("content-length")) {
      this.#contentLength = join(this.#contentLength, value() || ",");
    } else if (is("transfer-encoding")) {
      this.#transferEncoding = join(this.#transferEncoding, value() || ",");
    } else if (is("expect")) {
      this.expects = join(this.expects, value());
    } else if (is("upgrade")) {
      this.#hasUpgrade = true;
    }
  }

  /**
   * RFC 9112, sections 6.3 and 9.3.
   *
   * @param {number} minorVersion
   * @throws {HttpError} 400, 501
   */
  settle(minorVersion) {
    if (this.host === undefined && minorVersion === 1) {
      throw new HttpError(400, "a request names its Host");
    }
    this.#settleConnection(minorVersion);
    this.bodyLength = 0;
    if (this.#transferEncoding !== "") this.#settleCoding(minorVersion);
    else if (this.#contentLength !== "") {
      this.bodyLength = readLength(this.#contentLength);
    }
  }

  #settleConnection(minorVersion) {
    const connection = this.#connection;
    this.keepsAlive = minorVersion === 1;
    this.asksForUpgrade = false;
    if (connection === "") return;
    if (connection === "keep-alive") {
      this.keepsAlive = true;
      return;
    }
    const options = membersOf(connection);
    if (options.includes("close")) this.keepsAlive = false;
    else if (options.includes("keep-alive")) this.keepsAlive = true;
    this.asksForUpgrade = this.#hasUpgrade && options.includes("upgrade");
  }

  #settleCoding(minorVersion) {
    if (this.#contentLength !== "") {
      throw new HttpError(400, "both a length and a transfer coding");
    }
    if (minorVersion === 0) {
      throw new HttpError(400, "HTTP/1.0 has no transfer codings");
    }
    const codings = membersOf(this.#transferEncoding);
    const others = codings.slice(0, -1);
    if (codings.at(-1) !== "chunked" || others.includes("chunked")) {
      throw new HttpError(400, "the last transfer coding is chunked, once");
    }
    if (others.length > 0) {
      throw new HttpError(501, "chunked is the only transfer coding here");
    }
    this.bodyLength = NaN;
  }
}

// Most requests name the same one, which is a string already.
let lastHost = "";

function hostAt(bytes, start, end) {
  if (!isText(bytes, start, end, lastHost)) {
    lastHost = bytes.latin1Slice(start, end);
  }
  return lastHost;
}

function isText(bytes, start, end, text) {
  if (end - start !== text.length) return false;
  for (let i = 0; i < text.length; i += 1) {
    if (bytes[start + i] !== text.charCodeAt(i)) return false;
  }
  return true;
}

function join(earlier, value) {
  return earlier === "" ? value : `${earlier}, ${value}`;
}

function readLength(text) {
  const length = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(length)) return length;
  throw new HttpError(400, "Content-Length is one number");
}

/** The members of a list, in lower case (RFC 9110, section 5.6.1). */
export function membersOf(list) {
  const members = list.toLowerCase().split(",");
  return members
    .map((one) => trim(one, 0, one.length))
    .filter((one) => one !== "");
}

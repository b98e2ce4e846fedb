import { ServerResponse } from "node:http";
import { addCookie } from "../cookies/add.js";
import { show, UsageError } from "../errors.js";
import { formatDate } from "./date.js";
import { encodeLocation } from "./location.js";
import { checkValidators, judgePreconditions } from "./preconditions.js";
import { answerPrecondition, dropContent, send } from "./send.js";
import { toJson } from "./serialize.js";
import { hasNoBody } from "./status.js";

/** @import { CookieOptions } from "../cookies/format.js" */
/** @import { Access } from "../log/access.js" */
/** @import { Request } from "../request/request.js" */
/** @import { Validators } from "./preconditions.js" */

/**
 * An answer, with short ways to give it.
 *
 * @extends {ServerResponse<Request>}
 */
export class Response extends ServerResponse {
  // A body that isn't as long as its Content-Length says is an error.
  strictContentLength = true;

  #isBegun = false;

  /** @type {object | null} the fields around the handler's own */
  outerFields = null;

  /** @type {Access | null} */
  access = null;

  /**
   * @param {number} code 200 to 599
   * @throws {UsageError} ERR_STATUS_INVALID
   */
  status(code) {
    checkStatus(code);
    this.statusCode = code;
    return this;
  }

  /** @param {unknown} value @throws {UsageError} ERR_BODY_INVALID */
  json(value) {
    send(this, toJson(value), "application/json");
    return this;
  }

  /** @param {string} text @throws {UsageError} ERR_BODY_INVALID */
  text(text) {
    send(this, checkText(text), "text/plain; charset=utf-8");
    return this;
  }

  /** @param {string} html @throws {UsageError} ERR_BODY_INVALID */
  html(html) {
    send(this, checkText(html), "text/html; charset=utf-8");
    return this;
  }

  /**
   * Sends the client elsewhere.
   *
   * @param {string} location a path, or an address with http or https
   * @param {number} [code] 301, 302, 303, 307 or 308
   * @throws {UsageError} ERR_LOCATION_INVALID, ERR_REDIRECT_INVALID
   */
  redirect(location, code = 303) {
    if (![301, 302, 303, 307, 308].includes(code)) {
      throw new UsageError("ERR_REDIRECT_INVALID", show(code));
    }
    this.setHeader("location", encodeLocation(location));
    return this.status(code).text("see the Location field\n");
  }

  /**
   * Has the browser keep a cookie.
   *
   * @param {string} name
   * @param {string} value any text
   * @param {CookieOptions} [options]
   * @throws {UsageError} ERR_COOKIE_INVALID, ERR_OPTION_UNKNOWN
   */
  setCookie(name, value, options) {
    addCookie(this, name, value, options);
    return this;
  }

  /**
   * Has the browser forget a cookie that was set with the same path, domain
   * and partitioned.
   *
   * @param {string} name @param {CookieOptions} [options]
   * @throws {UsageError} ERR_COOKIE_INVALID, ERR_OPTION_UNKNOWN
   */
  clearCookie(name, options = {}) {
    const { expires, ...same } = options;
    return this.setCookie(name, "", { ...same, maxAge: 0 });
  }

  /** Says that the answer depends on a field of the request. */
  vary(name) {
    const names = String(this.getHeader("vary") ?? "");
    const known = names.toLowerCase().split(/\s*,\s*/);
    if (known.includes(name.toLowerCase()) || known.includes("*")) return;
    this.setHeader("vary", names === "" ? name : `${names}, ${name}`);
  }

  /**
   * Judges the request's preconditions, and answers 304 or 412 itself where
   * they say that the request must not be done.
   *
   * @param {Validators} validators of what there is now; none if nothing
   * @returns {boolean} whether to go on
   * @throws {UsageError} ERR_VALIDATOR_INVALID
   */
  preconditionsHold({ etag, lastModified }) {
    const { method = "", headers } = this.req;
    const validators = { etag, lastModified };
    checkValidators(validators);
    const statusCode = judgePreconditions(method, headers, validators);
    if (method === "GET" || method === "HEAD") {
      if (etag !== undefined) this.setHeader("etag", etag);
      if (lastModified !== undefined) {
        this.setHeader("last-modified", formatDate(lastModified));
      }
    }
    if (statusCode === 200) return true;
    answerPrecondition(this, statusCode);
    return false;
  }

  /**
   * node:http compares what is written with the length in a head that is
   * there already, and with no other.
   *
   * @param {any} chunk @param {any} [encoding] @param {any} [callback]
   */
  write(chunk, encoding, callback) {
    this.#isBegun = true;
    const isBytes = chunk instanceof Uint8Array;
    if (!this.headersSent && (isBytes || typeof chunk === "string")) {
      this.writeHead(this.statusCode);
    }
    return super.write(chunk, encoding, callback);
  }

  /** @param {any} [chunk] @param {any} [encoding] @param {any} [callback] */
  end(chunk, encoding, callback) {
    const isWhole = !this.#isBegun && isAsSaid(this, chunk, encoding);
    // What is written to a client that has left isn't counted.
    if (this.destroyed || isWhole) this.strictContentLength = false;
    try {
      return super.end(chunk, encoding, callback);
    } catch (err) {
      if (!this.headersSent) forgetChunk(this);
      throw err;
    }
  }

  /**
   * Whatever a handler does, its final head comes by here.
   *
   * @param {number} statusCode @param {any} [reason] @param {any} [fields]
   */
  writeHead(statusCode, reason, fields) {
    checkStatus(statusCode);
    this.access?.begin();
    const hasReason = typeof reason === "string";
    const given = hasReason ? fields : (fields ?? reason);
    const isBare = hasNoBody(statusCode);
    if (!isBare && hasPlainFraming(this, given)) {
      return super.writeHead(statusCode, reason, fields);
    }
    setFields(this, given);
    if (this.req.isUnread) this.setHeader("connection", "close");
    checkLength(this.getHeader(CONTENT_LENGTH));
    if (isBare || !hasChunks(this)) this.removeHeader(TRANSFER_ENCODING);
    if (isBare || this.hasHeader(TRANSFER_ENCODING)) {
      this.removeHeader(CONTENT_LENGTH);
    }
    if (statusCode === 304) dropContent(this);
    if (statusCode === 205) this.setHeader(CONTENT_LENGTH, 0);
    return super.writeHead(statusCode, hasReason ? reason : undefined);
  }

  /** @param {Error} [err] */
  destroy(err) {
    this.access?.cut();
    return super.destroy(err);
  }

  /**
   * Leaves the connection to another protocol (RFC 9110, section 15.2.2).
   *
   * @param {Record<string, string>} fields
   * @param {() => void} begin isn't called if the client has left; it is
   *   called without a 101 if the answer was dropped before its head
   */
  switchProtocols(fields, begin) {
    if (this.destroyed) return;
    this.access?.begin();
    for (const name of BODY_FIELDS) this.removeHeader(name);
    super.writeHead(101, fields);
    super.end();
    begin();
  }
}

const BODY_FIELDS = ["content-length", "content-type", "transfer-encoding"];

// Has node:http forget a chunk that wasn't sent.
function forgetChunk(res) {
  for (const symbol of Object.getOwnPropertySymbols(res)) {
    if (symbol.description === "kBytesWritten") res[symbol] = 0;
  }
  res._contentLength = null;
  res.strictContentLength = true;
}

function checkStatus(code) {
  if (Number.isInteger(code) && code >= 200 && code <= 599) return;
  throw new UsageError("ERR_STATUS_INVALID", show(code), 200);
}

function checkText(text) {
  if (typeof text === "string") return text;
  throw new UsageError("ERR_BODY_INVALID", show(text), "it is no string");
}

const TRANSFER_ENCODING = "transfer-encoding";
const CONTENT_LENGTH = "content-length";

// Whether node:http may have these fields as they came.
function hasPlainFraming(res, given) {
  if (res.req.isUnread || Array.isArray(given)) return false;
  if (res.hasHeader(TRANSFER_ENCODING)) return false;
  let length;
  for (const name in given) {
    const lowerName = name.toLowerCase();
    if (lowerName === TRANSFER_ENCODING) return false;
    if (lowerName !== CONTENT_LENGTH) continue;
    if (length !== undefined) return false;
    length = given[name];
  }
  if (length === undefined) length = res.getHeader(CONTENT_LENGTH);
  return length === undefined || isLength(length);
}

// Whether a chunk is as long as the body has to be.
function isAsSaid(res, chunk, encoding) {
  if (hasNoBody(res.statusCode)) return false;
  const isText = typeof chunk === "string";
  const length = isText
    ? Buffer.byteLength(chunk, encoding)
    : chunk?.byteLength;
  const said = res.headersSent
    ? res._contentLength
    : res.getHeader(CONTENT_LENGTH);
  return length === Number(said ?? length);
}

function checkLength(length) {
  if (length === undefined || isLength(length)) return;
  throw new UsageError("ERR_LENGTH_INVALID", show(length));
}

function isLength(length) {
  if (Number.isSafeInteger(length)) return length >= 0;
  return /^\d+$/.test(length);
}

export function setFields(res, given) {
  const list = asList(given);
  for (let i = 0; i < list.length; i += 2) res.removeHeader(list[i]);
  for (let i = 0; i < list.length; i += 2) {
    res.appendHeader(list[i], list[i + 1]);
  }
}

function asList(given) {
  if (!Array.isArray(given)) return Object.entries(given ?? {}).flat();
  return Array.isArray(given[0]) ? given.flat() : given;
}

// False for an encoding by which no client can find the end.
function hasChunks(res) {
  const encoding = res.getHeader(TRANSFER_ENCODING) ?? "chunked";
  return /(^|,) *chunked *$/i.test(encoding);
}

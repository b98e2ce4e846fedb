import { Stream } from "node:stream";
import { tellFinish } from "../diagnostics.js";
import { ServerResponse } from "../http.js";
import { setDefaults } from "../light.js";
import { Response } from "../response/response.js";
import { fieldName, headEnd, statusLine } from "./response-head.js";

/** @import { Connection } from "./connection.js" */
/** @import { EngineRequest } from "./request.js" */

const OUT_HEADERS = symbolOf("kOutHeaders");
const NEED_DRAIN = symbolOf("kNeedDrain");

// Where node:http keeps what it doesn't show.
function symbolOf(name) {
  const res = new ServerResponse(/** @type {any} */ ({ method: "GET" }));
  const symbols = Object.getOwnPropertySymbols(res);
  return symbols.find(({ description }) => description === name) ?? name;
}

// What node:http doesn't show has no types.
const Base = /** @type {any} */ (Response);

/** An answer that goes out in one piece, if it can. */
export class EngineResponse extends Base {
  #connection;
  #isAttached = false;
  #isAscii = false;
  #isSent = false;

  /** Whether its handler goes on with it after its end. */
  isTouchedLate = false;

  /** @type {EngineResponse | null} one that goes out in the same write */
  sentBefore = null;

  /** @param {EngineRequest} req @param {Connection} connection */
  constructor(req, connection) {
    super(req);
    this.#connection = connection;
  }

  // For HTTP/1.0 Node's constructor has more to do.
  beginLight(req) {
    if (req.httpVersionMinor === 0) return false;
    this.req = req;
    if (req.method === "HEAD") this._hasBody = false;
    return true;
  }

  // One request is answered after the other.
  get isInTurn() {
    return true;
  }

  get writableFinished() {
    return this.#isSent ? this.closed : super.writableFinished;
  }

  end(chunk, encoding, callback) {
    const isPlain = encoding === undefined && callback === undefined;
    if (!this._header || !isPlain || !this.#isWhole(chunk)) {
      return super.end(chunk, encoding, callback);
    }
    this.#send(chunk);
    tellFinish(this);
    return this;
  }

  sendEnd(chunk, encoding, callback) {
    const isPlain = encoding === undefined && callback === undefined;
    if (!isPlain || !this.#isWhole(chunk)) {
      this.attach();
      return super.sendEnd(chunk, encoding, callback);
    }
    return this.#send(chunk);
  }

  #send(chunk) {
    this._headerSent = true;
    this.finished = true;
    this.#isSent = true;
    const body = this._hasBody ? (chunk ?? "") : "";
    const isAscii = this.#isAscii || body === "";
    this.#connection.send(this, this._header, body, isAscii);
    return this;
  }

  // Whether this is all of an answer.
  #isWhole(chunk) {
    if (this.#isAttached || this.finished || this.destroyed) return false;
    const length = lengthOf(chunk);
    if (length === -1) return false;
    if (!this._header) {
      this._contentLength = length;
      this._implicitHeader();
    }
    if (this.chunkedEncoding) return false;
    this.#isAscii = length === chunk?.length && typeof chunk === "string";
    return !this._hasBody || this._contentLength === length;
  }

  sendHead(statusCode, reason, fields) {
    const hasReason = typeof reason === "string";
    const given = fields ?? reason;
    const head = hasReason ? null : this.#makeHead(statusCode, given);
    if (head === null) return super.sendHead(statusCode, reason, fields);
    this.statusCode = statusCode;
    this._header = head;
    return this;
  }

  // The usual head: null for another one, which node:http makes.
  #makeHead(statusCode, fields) {
    if (statusCode === 204 || statusCode === 304) return null;
    if (!this.#isUsual || !isPlainObject(fields)) return null;
    let length;
    let head = statusLine(statusCode);
    for (const name of Object.keys(fields)) {
      const value = fields[name];
      const field = fieldName(name);
      if (field.isSpecial || typeof value === "object") return null;
      if (field.isLength) {
        if (typeof value !== "number") return null;
        length = value;
      }
      head += field.lineWith(value);
    }
    if (length === undefined) return null;
    this._contentLength = length;
    return head + headEnd(this._keepAliveTimeout);
  }

  get #isUsual() {
    return (
      this[OUT_HEADERS] === null &&
      this._header === null &&
      this.shouldKeepAlive &&
      this.sendDate &&
      !this.statusMessage &&
      !this._expect_continue &&
      !this._removedConnection &&
      !this._removedContLen &&
      !this._maxRequestsPerSocket
    );
  }

  /** From here on node:http's own code writes it. */
  attach() {
    this.isTouchedLate = this.finished === true;
    if (this.#isAttached || this.finished) return;
    this.#isAttached = true;
    this.#connection.attach(this);
  }

  /** Nobody will get it. @param {any} socket */
  abandon(socket) {
    if (socket._httpMessage === this) this.detachSocket(socket);
    if (this._closed) return;
    this.destroyed = true;
    this._closed = true;
    this.emit("close");
  }

  /** The socket takes bytes again. */
  drain() {
    if (!this.writableNeedDrain) return;
    this[NEED_DRAIN] = false;
    this.emit("drain");
  }
}

// These need the socket. So does a listener: Node emits the events.
const ATTACHING = [
  "addListener",
  "destroy",
  "flushHeaders",
  "on",
  "prependListener",
  "setTimeout",
  "write",
  "writeContinue",
  "writeEarlyHints",
  "writeProcessing",
];
for (const name of ATTACHING) {
  const plain = Response.prototype[name];
  EngineResponse.prototype[name] = function attached(...args) {
    this.attach();
    return plain.apply(this, args);
  };
}

const http11 = { method: "GET", httpVersionMajor: 1, httpVersionMinor: 1 };
const sample = new Response(/** @type {any} */ (http11));
setDefaults(EngineResponse.prototype, sample, (res) => Stream.call(res));

// How many bytes a body has: -1 if it is none.
function lengthOf(chunk) {
  if (typeof chunk === "string") return Buffer.byteLength(chunk);
  if (chunk === undefined || chunk === null) return 0;
  return chunk instanceof Uint8Array ? chunk.byteLength : -1;
}

function isPlainObject(fields) {
  if (typeof fields !== "object" || fields === null) return false;
  return !Array.isArray(fields);
}

import { Readable } from "node:stream";
import { setDefaults } from "../light.js";
import { Request } from "../request/request.js";
import { splitFields } from "./fields.js";

/** @import { Socket } from "node:net" */
/** @import { HeadReader } from "./head.js" */

// What node:http doesn't show has no types.
const Base = /** @type {any} */ (Request);

/** A request whose fields are text until somebody asks for them. */
export class EngineRequest extends Base {
  #text;
  #fieldsStart;
  /** @type {string[] | null} */
  #rawHeaders = null;
  #hasFields = false;

  /** @param {Socket} socket @param {HeadReader} head */
  constructor(socket, head) {
    super(socket);
    const { framing, minorVersion } = head;
    this.#text = head.text;
    this.#fieldsStart = head.fieldsStart;
    this.method = head.method;
    this.url = head.target;
    this.httpVersionMajor = 1;
    this.httpVersionMinor = minorVersion;
    this.httpVersion = minorVersion === 1 ? "1.1" : "1.0";
    this.host = framing.host;
    this.expects = framing.expects;
    this.bodyLength = framing.bodyLength;
    this.complete = framing.bodyLength === 0;
  }

  // It becomes a stream when somebody reads it.
  beginLight(socket) {
    this.socket = socket;
    this.client = socket;
    return true;
  }

  // The head's framing has told the host and the body's length.
  readFields() {}

  get rawHeaders() {
    // A constructor of Node's runs before the private properties are there.
    if (!(#text in this)) return [];
    this.#rawHeaders ??= splitFields(this.#text, this.#fieldsStart);
    return this.#rawHeaders;
  }

  set rawHeaders(list) {
    if (#text in this) this.#rawHeaders = list;
  }

  get headers() {
    if (!this.#hasFields) this.#giveFields();
    return super.headers;
  }

  set headers(fields) {
    this.#hasFields = true;
    super.headers = fields;
  }

  get headersDistinct() {
    if (!this.#hasFields) this.#giveFields();
    return super.headersDistinct;
  }

  #giveFields() {
    this.#hasFields = true;
    const list = this.rawHeaders;
    const { complete } = this;
    // Behind the body they would be taken for trailers.
    this.complete = false;
    this._addHeaderLines(list, list.length);
    this.complete = complete;
  }

  _read(size) {
    if (this.bodyLength === 0) this.push(null);
    else super._read(size);
  }

  /** Drops a body that nobody reads, and tells its end. */
  dropUnread() {
    this._dump();
    // Node 26 checks for the end only once, in the call above.
    this.resume();
  }
}

const sample = new Request(/** @type {any} */ (null));
setDefaults(EngineRequest.prototype, sample, (req) => {
  const { readableHighWaterMark: highWaterMark } = req.keptSocket;
  Readable.call(req, { highWaterMark });
  req._readableState.readingMore = true;
  // Who listens after the answer still hears the end.
  const isOver = req.complete && req.res?.finished;
  if (isOver) process.nextTick(() => req.resume());
});

import { IncomingMessage } from "node:http";
import { parseCookies } from "../cookies/parse.js";
import { HttpError, UsageError } from "../errors.js";
import { checkLimit, refuseUnknown } from "../options.js";
import { preferredType } from "../response/negotiate.js";
import { contentOf, DEFAULT_BODY_BYTES, SMALL_BODY_BYTES } from "./body.js";
import { decodeText, requireType } from "./content.js";
import { parseForm } from "./form.js";
import { gather } from "./gather.js";
import { addressOf, findIp } from "./ip.js";
import { parseJson } from "./json.js";
import { partLimits, readParts } from "./multipart.js";
import { leavesHttp } from "./protocol.js";

/** @import { BlockList } from "node:net" */
/** @import { Logger } from "../log/logger.js" */
/** @import { Trace } from "../log/trace.js" */
/** @import { Response } from "../response/response.js" */
/** @import { Route } from "../router/route.js" */

/**
 * @typedef {object} Handover
 * @property {() => Buffer} takeEarly what has come behind the request
 * @property {(err: unknown, req: Request) => void} onError
 */

/**
 * A request, with what the router found out about it.
 *
 * @template {Record<string, string>} [Params=Record<string, string>]
 */
export class Request extends IncomingMessage {
  /** The path as the router reads it: the only one to compare with. */
  path = "";

  /** @type {Params} the path's parameters, decoded */
  params = /** @type {any} */ ({});

  /** @type {Route | null} the route that the request goes to */
  route = null;

  /** @type {Response | null} its answer */
  res = null;

  /** Whether its route's time was over before its answer was. */
  isTimedOut = false;

  /** What the middleware `log()` gives it. */
  id = "";
  /** @type {Logger | null} */
  log = null;
  /** @type {Trace | null} */
  trace = null;

  /** How many bytes of body are announced: NaN if they come in chunks. */
  bodyLength = 0;

  // In `socket` Node puts null when a reader leaves the body.
  keptSocket = this.socket;

  /** @type {(err: Error) => void} answers if nobody listens for `error` */
  onUnheard = () => {};

  /** Whether the client waits to be asked for the body. */
  awaitsContinue = false;

  /** Whether the client asks for another protocol. */
  asksForUpgrade = false;

  /** @type {Handover | null} set where the connection can be handed over */
  handover = null;

  #receivedBytes = 0;
  #isAskedFor = false;
  #isTaken = false;
  #isDropped = false;

  /** @type {URLSearchParams | null} */
  #queryParams = null;

  /** @type {AbortController | null} */
  #abort = null;

  /** @type {Record<string, string> | null} */
  #cookies = null;

  /** @type {any} what sessions() gives */
  session = undefined;

  /** Which addresses are proxies of ours. @type {BlockList | null} */
  proxies = null;

  /** @type {string | null | undefined} */
  #ip = undefined;

  /**
   * Picks the type that the client wants most.
   *
   * @param {string | string[]} types what there is, the favourite first
   * @returns {string | null} null if the client wants none of them
   */
  accepts(types) {
    return preferredType(this.headers.accept, [types].flat());
  }

  /** The query, read at first use. */
  get queryParams() {
    if (this.#queryParams === null) {
      const target = this.url ?? "";
      const mark = target.indexOf("?");
      const query = mark === -1 ? "" : target.slice(mark + 1);
      this.#queryParams = new URLSearchParams(query);
    }
    return this.#queryParams;
  }

  /** What the browser was asked to keep, read at first use. */
  get cookies() {
    this.#cookies ??= parseCookies(this.headers.cookie ?? "");
    return this.#cookies;
  }

  /**
   * The client's address, as far as the proxies that are named tell it; null
   * if the connection has none, or has none any more.
   */
  get ip() {
    if (this.#ip === undefined) {
      const address = addressOf(this.keptSocket);
      const field = this.headers["x-forwarded-for"];
      this.#ip = findIp(address, String(field ?? ""), this.proxies);
    }
    return this.#ip;
  }

  /** How many bytes of body there may be. */
  get bodyBytes() {
    return this.route?.bodyBytes ?? DEFAULT_BODY_BYTES;
  }

  /** Whether more bytes are announced than there may be. */
  get isTooLarge() {
    return this.bodyLength > this.bodyBytes;
  }

  /** Whether the body is taken in even if nobody reads it. */
  get isSmall() {
    return this.bodyLength <= SMALL_BODY_BYTES;
  }

  /** Whether the end of a body that isn't small is still to come. */
  get isUnread() {
    return !this.complete && !this.isSmall;
  }

  // The bytes that Node hands on come by here; null is the end.
  push(chunk, encoding) {
    // A reader would take this for the end of a whole body.
    if (chunk === null) return this.#isOver || super.push(null);
    // Nobody is going to read it.
    if (this.destroyed) return this.#isDropped || this.isSmall;
    this.#receivedBytes += chunk.length;
    if (this.#isOver) {
      if (this.#isAskedFor) this.dropBody(new HttpError(413));
      return true;
    }
    const hasRoom = super.push(chunk, encoding);
    return hasRoom || this.isSmall;
  }

  // Whether more has come than there may be.
  get #isOver() {
    return this.#receivedBytes > this.bodyBytes;
  }

  // Here somebody asks for bytes.
  _read(size) {
    this.#isAskedFor = true;
    if (this.#isOver) this.dropBody(new HttpError(413));
    if (this.#receivedBytes === 0 && this.res?.headersSent === false) {
      if (this.isTooLarge) this.dropBody(new HttpError(413));
      else if (this.awaitsContinue) this.res.writeContinue();
      this.awaitsContinue = false;
    }
    super._read(size);
  }

  /** Reads no more of the body. @param {Error} [err] for its reader */
  dropBody(err) {
    this.#isDropped = true;
    // First in line, while all other listeners are still there.
    this.prependOnceListener("error", (error) => {
      if (this.listenerCount("error") === 0) this.onUnheard(error);
    });
    this.destroy(err);
  }

  // Node cuts the connection here, and the client gets no answer.
  _destroy(err, callback) {
    if (this.#isDropped) callback(err);
    else super._destroy(err, callback);
  }

  // Gives the body to its only reader.
  #take() {
    if (this.#isTaken || this.readableDidRead) {
      throw new UsageError("ERR_BODY_TAKEN", "body");
    }
    const content = contentOf(this);
    this.#isTaken = true;
    return content;
  }

  /**
   * Reads the body. It can be read once.
   *
   * @returns {Promise<Buffer>}
   * @throws {HttpError} 400, 413, 415
   */
  async bytes() {
    return gather(this.#take(), this.bodyBytes);
  }

  /** Reads the body as text. @throws {HttpError} 400, 413, 415 */
  async text() {
    return decodeText(await this.bytes(), this.headers["content-type"]);
  }

  /**
   * Reads the body as JSON.
   *
   * @returns {Promise<any>}
   * @throws {HttpError} 400, 413, 415
   */
  async json() {
    const type = this.headers["content-type"];
    requireType(type, "application/json", "+json");
    return parseJson(await this.text());
  }

  /** Reads the body as a form. @throws {HttpError} 400, 413, 415 */
  async form() {
    const type = this.headers["content-type"];
    requireType(type, "application/x-www-form-urlencoded");
    return parseForm(await this.text());
  }

  /**
   * Reads the body part by part.
   *
   * @param {Partial<typeof partLimits>} [limits]
   * @throws {HttpError} 400, 413, 415
   * @throws {UsageError} ERR_OPTION_UNKNOWN, ERR_OPTION_INVALID
   */
  parts(limits = {}) {
    refuseUnknown(limits, Object.keys(partLimits));
    for (const [name, limit] of Object.entries(limits)) {
      checkLimit(name, limit);
    }
    const type = this.headers["content-type"];
    const parameters = requireType(type, "multipart/form-data");
    const boundary = parameters.get("boundary") ?? "";
    if (boundary === "" || boundary.length > 70) {
      throw new HttpError(400, "the boundary must have 1 to 70 characters");
    }
    return readParts(this.#take(), boundary, { ...partLimits, ...limits });
  }

  // The getter `signal`: aborted when the client has left, or the answer
  // takes too long. To TypeScript, Node's own is a property.
  static {
    const get = /** @this {Request} */ function signal() {
      this.#abort ??= this.#abortOnClose();
      return this.#abort.signal;
    };
    Object.defineProperty(Request.prototype, "signal", { get });
  }

  // node:http reads it to decide, and sets it before this class has its
  // private properties.
  get upgrade() {
    return this.asksForUpgrade && leavesHttp(this);
  }

  set upgrade(value) {
    this.asksForUpgrade = value;
  }

  #abortOnClose() {
    const socket = this.keptSocket;
    const res = /** @type {Response} */ (this.res);
    const abort = new AbortController();
    const check = () => {
      socket.off("close", check);
      if (!res.writableFinished) abort.abort();
    };
    // In a pipeline a response may not have come to its socket yet.
    socket.once("close", check);
    res.once("close", check);
    if (res.closed || socket.destroyed) check();
    return abort;
  }

  /** @param {unknown} [reason] what the signal tells */
  giveUp(reason) {
    this.#abort ??= this.#abortOnClose();
    this.#abort.abort(reason);
  }

  // Whether the signal has told to stop.
  get isGivenUp() {
    return this.#abort?.signal.aborted === true;
  }

  isWhyGivenUp(err) {
    if (!this.isGivenUp) return false;
    const { reason } = this.signal;
    return err === reason || err?.cause === reason;
  }
}

import {
  checkLimit,
  checkOptions,
  checkTime,
  refuseUnknown,
} from "../options.js";
import { room } from "../response/stream.js";
import { commentText, eventText } from "./event-text.js";

/** @import { Request } from "../request/request.js" */
/** @import { Response } from "../response/response.js" */
/** @import { ServerEvent } from "./event-text.js" */

const FIELDS = ["id", "event", "data", "retry"];

/**
 * @typedef {object} EventsOptions
 * @property {number} [bufferedBytes] how many bytes may wait for the client
 * @property {number} [keepAlive] milliseconds from one comment to the next
 */

const DEFAULTS = { bufferedBytes: 1024 * 1024, keepAlive: 15_000 };

/**
 * Begins an answer that is a stream of events.
 *
 * @param {Request} req
 * @param {Response} res
 * @param {EventsOptions} [options]
 * @throws {UsageError} ERR_OPTIONS_INVALID, ERR_OPTION_UNKNOWN,
 *   ERR_OPTION_INVALID
 */
export function events(req, res, options = {}) {
  checkOptions("events", options);
  refuseUnknown(options, Object.keys(DEFAULTS));
  const settings = { ...DEFAULTS, ...options };
  checkLimit("bufferedBytes", settings.bufferedBytes);
  checkTime("keepAlive", settings.keepAlive);
  return new EventStream(req, res, settings);
}

/** Events for one client. */
export class EventStream {
  #res;
  #settings;
  // What the last write has said, until there is room again.
  #hasRoom = true;
  #over = new AbortController();

  /** The id that the client tells as its last, or "". */
  lastEventId;

  /** Aborted when the stream is over, whoever has ended it. */
  signal = this.#over.signal;

  /** @param {Request} req @param {Response} res */
  constructor(req, res, settings) {
    this.#res = res;
    this.#settings = settings;
    // What was UTF-8 has been read as Latin-1, like any field.
    const id = String(req.headers["last-event-id"] ?? "");
    this.lastEventId = Buffer.from(id, "latin1").toString();
    // A guard may have taken its time, and nothing tells twice.
    if (req.signal.aborted) {
      this.#over.abort();
      return;
    }
    req.signal.addEventListener("abort", () => this.#over.abort());
    res.on("drain", () => {
      this.#hasRoom = true;
    });
    res.once("close", () => this.#over.abort());
    this.#begin();
    if (req.method === "HEAD") this.close();
    else this.#keepAlive();
  }

  #begin() {
    const res = this.#res;
    res.setHeader("content-type", "text/event-stream");
    const cacheControl = res.getHeader("cache-control") ?? "no-store";
    res.setHeader("cache-control", `${cacheControl}, no-transform`);
    // nginx would gather events before it hands them on.
    res.setHeader("x-accel-buffering", "no");
    res.flushHeaders();
  }

  #keepAlive() {
    const { keepAlive } = this.#settings;
    if (keepAlive === Infinity) return;
    const timer = setInterval(() => this.comment(""), keepAlive);
    this.signal.addEventListener("abort", () => clearInterval(timer));
  }

  /** How many bytes wait for the client. */
  get bufferedBytes() {
    return this.#res.writableLength;
  }

  /**
   * Sends an event, or nothing if the stream is over.
   *
   * @param {ServerEvent} event
   * @returns {boolean} whether there is room for more
   * @throws {UsageError} ERR_OPTIONS_INVALID, ERR_OPTION_UNKNOWN,
   *   ERR_EVENT_INVALID
   */
  send(event) {
    checkOptions("send", event);
    refuseUnknown(event, FIELDS);
    return this.#write(eventText(event));
  }

  /** Sends what programs don't see. @param {string} [text] */
  comment(text = "") {
    return this.#write(commentText(text));
  }

  /** Ends the stream. The client will come back. */
  close() {
    this.#res.end();
    this.#over.abort();
  }

  /** Resolves when there is room for more, or the connection is closed. */
  async drained() {
    if (this.#hasRoom || this.signal.aborted) return;
    await room(this.#res, this.#res.req.keptSocket);
  }

  #write(text) {
    const res = this.#res;
    if (this.signal.aborted || res.writableEnded || res.destroyed)
      return false;
    if (res.writableLength > this.#settings.bufferedBytes) {
      // The answer to a pipelined request may get its socket later.
      res.once("socket", (socket) => socket.destroy());
      res.destroy();
      this.#over.abort();
      return false;
    }
    // As bytes: what waits is counted in bytes, not in characters.
    this.#hasRoom = res.write(Buffer.from(text));
    return this.#hasRoom;
  }
}

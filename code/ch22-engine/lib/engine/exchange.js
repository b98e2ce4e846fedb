import { BodyReader } from "./body.js";

/** @import { Socket } from "node:net" */
/** @import { HeadLimits } from "./head.js" */
/** @import { EngineRequest } from "./request.js" */
/** @import { EngineResponse } from "./response.js" */

/** A request and its answer: over when both are complete. */
export class Exchange {
  #socket;
  /** @type {BodyReader | null} null when the body has come */
  #body = null;

  /** @type {EngineRequest | null} */
  req = null;
  /** @type {EngineResponse | null} null when it is finished */
  res = null;

  /** @param {Socket} socket */
  constructor(socket) {
    this.#socket = socket;
  }

  get hasBody() {
    return this.#body !== null;
  }

  /** @param {EngineRequest} req @param {HeadLimits} limits */
  begin(req, limits) {
    this.req = req;
    if (req.bodyLength === 0) return;
    this.#body = new BodyReader(req.bodyLength, limits);
  }

  /** Gives how far it has read. */
  readBody(bytes, start, end) {
    const body = /** @type {BodyReader} */ (this.#body);
    const req = /** @type {EngineRequest} */ (this.req);
    let hasRoom = true;
    const next = body.read(bytes, start, end, (from, to) => {
      if (req._dumped) return;
      // The buffer is used again for the next read.
      hasRoom = req.push(Buffer.from(bytes.subarray(from, to)));
    });
    if (!body.isComplete) {
      // Whoever asks for more of the body has the socket go on.
      if (!hasRoom) this.#socket.pause();
      return next;
    }
    const { trailers } = body;
    this.#body = null;
    req.complete = true;
    if (trailers.length > 0) req._addHeaderLines(trailers, trailers.length);
    req.push(null);
    if (this.res === null) this.req = null;
    return next;
  }

  /** The answer is finished. */
  finish() {
    const req = /** @type {EngineRequest} */ (this.req);
    this.res = null;
    if (this.#body === null) this.req = null;
    // Nobody reads it: what still comes is dropped.
    const isUnread = this.#body !== null || req._eventsCount > 0;
    if (isUnread && !req._consuming) req.dropUnread();
  }

  /** Nobody is left who could take the answer. */
  abandon() {
    const { req, res } = this;
    this.#body = null;
    if (req !== null && !req.complete) {
      // As in node:http, there is an error only for who listens.
      const isHeard = req.listenerCount("error") > 0;
      req.dropBody(isHeard ? abortedError() : undefined);
    }
    res?.abandon(this.#socket);
  }

  /** The client has gone. */
  close() {
    if (this.res === null) return;
    this.req?.destroy(abortedError());
    this.res.abandon(this.#socket);
  }
}

// As node:http has it.
function abortedError() {
  return Object.assign(new Error("aborted"), { code: "ECONNRESET" });
}

import { IncomingMessage } from "node:http";
import { preferredType } from "../response/negotiate.js";

/** @import { Response } from "../response/response.js" */
/** @import { Route } from "../router/route.js" */

/** A request, with what the router found out about it. */
export class Request extends IncomingMessage {
  /** The path as the router reads it: the only one to compare with. */
  path = "";

  /** @type {Record<string, string>} the path's parameters, decoded */
  params = {};

  /** @type {Route | null} the route that the request goes to */
  route = null;

  /** @type {Response | null} its answer */
  res = null;

  /** @type {URLSearchParams | null} */
  #queryParams = null;

  /** @type {AbortController | null} */
  #abort = null;

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

  // The getter `signal`: aborted when the client has left, or the answer
  // takes too long. To TypeScript, Node's own is a property.
  static {
    const get = /** @this {Request} */ function signal() {
      this.#abort ??= this.#abortOnClose();
      return this.#abort.signal;
    };
    Object.defineProperty(Request.prototype, "signal", { get });
  }

  #abortOnClose() {
    const { socket } = this;
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

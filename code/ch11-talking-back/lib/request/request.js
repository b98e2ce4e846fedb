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
}

import { IncomingMessage } from "node:http";

/** A request, with what the router found out about it. */
export class Request extends IncomingMessage {
  /** The canonical path: the only one to compare with anything. */
  path = "";

  /** @type {Record<string, string>} the path's parameters, decoded */
  params = {};

  /** @type {URLSearchParams | null} */
  #queryParams = null;

  /**
   * The query, read at first use. `+` and `%20` are spaces, a key may
   * stand there more than once, and none can reach a prototype.
   */
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

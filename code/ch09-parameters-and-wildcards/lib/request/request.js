import { IncomingMessage } from "node:http";

/** @import { Route } from "../router/route.js" */

/** A request, with what the router found out about it. */
export class Request extends IncomingMessage {
  /** The target's path, without the query. */
  path = "";

  /** @type {Record<string, string>} the path's parameters */
  params = {};

  /** @type {Route | null} the route that the request goes to */
  route = null;
}

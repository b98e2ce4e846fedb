import { IncomingMessage } from "node:http";

/** A request, with what the router found out about it. */
export class Request extends IncomingMessage {
  /** The target's path, without the query. */
  path = "";
  /** @type {Record<string, string>} */
  params = {};
}

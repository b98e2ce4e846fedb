/** @import { IncomingMessage } from "node:http" */

/**
 * Whether a request asks for a WebSocket. In HTTP/1.0 the field is to be
 * ignored (RFC 9110, section 7.8).
 *
 * @param {IncomingMessage} req
 */
export function asksForWebSocket({ method, httpVersion, headers }) {
  if (method !== "GET" || httpVersion !== "1.1") return false;
  const protocols = (headers.upgrade ?? "").toLowerCase().split(",");
  return protocols.some((protocol) => protocol.trim() === "websocket");
}

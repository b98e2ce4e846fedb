import { bodyLengthOf } from "./body.js";

/**
 * Whether a request leaves HTTP: it asks for a WebSocket, or is a CONNECT
 * that somebody listens for.
 *
 * @param {any} req
 */
export function leavesHttp(req) {
  if (req.method !== "CONNECT") return asksForWebSocket(req);
  return req.socket.server?.listenerCount("connect") > 0;
}

// In HTTP/1.0 the field is to be ignored (RFC 9110, section 7.8). Node 20
// gives a body to the upgrade's listener, where frames should come.
function asksForWebSocket({ method, httpVersion, headers, rawHeaders }) {
  if (method !== "GET" || httpVersion !== "1.1") return false;
  if (bodyLengthOf(rawHeaders) !== 0) return false;
  const protocols = (headers.upgrade ?? "").toLowerCase().split(",");
  return protocols.some((protocol) => protocol.trim() === "websocket");
}

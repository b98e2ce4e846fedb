import { isIPv6 } from "node:net";

/** @import { RequestListener, ServerResponse } from "node:http" */

// An address or a name, and perhaps a port (RFC 3986, section 3.2).
const HOST =
  /^(?:\[([\da-f:.]+)\]|(?:[\w\-.~!$&'()*+;=]|%[\da-f]{2})*)(?::\d*)?$/i;

/**
 * Stands before a handler, and refuses a request that names several hosts
 * or none that could be one (RFC 9112, section 3.2).
 *
 * @param {RequestListener} handler
 * @returns {RequestListener}
 */
export function strict(handler) {
  return (req, res) => {
    const hosts = req.headersDistinct.host ?? [];
    if (hosts.length > 1) return refuse(res, "a request has one Host");
    if (hosts.length === 1 && !isHost(hosts[0])) {
      return refuse(res, "Host is one name, perhaps with a port");
    }
    return handler(req, res);
  };
}

/**
 * @param {ServerResponse} res
 * @param {string} message
 */
function refuse(res, message) {
  const body = `${message}\n`;
  res.writeHead(400, {
    "content-type": "text/plain",
    "content-length": Buffer.byteLength(body),
  });
  res.end(body);
}

/** @param {string} text */
function isHost(text) {
  const match = HOST.exec(text);
  if (match === null) return false;
  const [, address] = match;
  return address === undefined || isIPv6(address);
}

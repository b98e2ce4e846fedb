/** @import { RequestListener, ServerResponse } from "node:http" */

// A name or an address, and perhaps a port (RFC 3986, section 3.2).
const HOST = /^(?:\[[\dA-Fa-f:.]+\]|[\w\-.~!$&'()*+,;=%]*)(?::\d*)?$/;

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
    if (hosts.length === 1 && !HOST.test(hosts[0])) {
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

import { once } from "node:events";
import http from "node:http";

/** @import net from "node:net" */
/** @import { TestContext } from "node:test" */

/** How long a server may take over an answer, in milliseconds. */
const PATIENCE = 5_000;

/**
 * Lets a server listen on a free port, until the test is over.
 *
 * @param {TestContext} t
 * @param {net.Server & { closeAllConnections(): void }} server
 * @returns {Promise<number>} the port
 */
export async function listen(t, server) {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return portOf(server);
}

/** @param {net.Server} server that listens */
export function portOf(server) {
  const address = server.address();
  return /** @type {import("node:net").AddressInfo} */ (address).port;
}

/**
 * Sends a request on a connection of its own.
 *
 * @param {number} port
 * @param {string} method
 * @param {string} path
 * @param {http.RequestOptions} [options]
 * @returns {Promise<{ statusCode?: number, statusMessage?: string,
 *   headers: http.IncomingHttpHeaders, body: string }>}
 * @throws {Error} ECONNRESET if the answer is cut, or none comes
 */
export function ask(port, method, path, options = {}) {
  return new Promise((resolve, reject) => {
    const address = { host: "127.0.0.1", port, method, path };
    const ours = { agent: false, timeout: PATIENCE };
    const all = { ...address, ...ours, ...options };
    const req = http.request(all, (res) => {
      let body = "";
      res.setEncoding("utf8");
      res.on("data", (text) => {
        body += text;
      });
      res.on("error", reject);
      res.on("end", () => {
        const { statusCode, statusMessage, headers } = res;
        resolve({ statusCode, statusMessage, headers, body });
      });
    });
    req.on("error", reject);
    req.on("timeout", () => {
      req.destroy(new Error(`${method} ${path} was not answered`));
    });
    req.end();
  });
}

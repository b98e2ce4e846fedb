import { once } from "node:events";
import http from "node:http";

/**
 * Starts a server that lives as long as a test, and gives a way to ask it.
 *
 * @param {import("node:test").TestContext} t
 * @param {any} velocy
 * @param {any} router
 * @param {unknown[]} errors gets what nobody answered for
 */
export async function serve(t, velocy, router, errors) {
  const onError = (/** @type {unknown} */ err) => errors.push(err);
  const server = velocy.createServer(router, { onError });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return askerOf(server.address().port);
}

/**
 * @param {number} port
 * @returns {import("./packages.js").Ask}
 */
function askerOf(port) {
  return (path, { body, ...options } = {}) =>
    new Promise((resolve, reject) => {
      const address = { host: "127.0.0.1", port, path, agent: false };
      const req = http.request({ ...address, ...options }, async (res) => {
        const { statusCode = 0, headers, rawHeaders } = res;
        const body = Buffer.concat(await res.toArray());
        resolve({ statusCode, headers, rawHeaders, body });
      });
      req.on("error", reject);
      req.end(body);
    });
}

/**
 * npm's own middleware, on the newest milestone. The packages have a folder of
 * their own, so that nothing of the book can depend on them; the first test
 * run installs them.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import http from "node:http";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { ensureDependencies } from "../../tools/lib/setup.js";
import { newestVelocy } from "../contracts/newest-velocy.js";
import { PACKAGES } from "./packages.js";

const found = await newestVelocy();
const velocy = found?.velocy;
const skip = typeof velocy?.connect !== "function" && "no milestone has middleware yet";

before(async () => {
  if (skip) return;
  const folder = fileURLToPath(new URL(".", import.meta.url));
  await ensureDependencies(folder, "Installing npm's middleware for tests/npm");
});

for (const { name, use, note, check } of PACKAGES) {
  test(use ? `${name} ${note}` : `${name} doesn't run: it ${note}`, { skip }, async (t) => {
    const module = await import(name);
    /** @type {unknown[]} */
    const errors = [];
    const serve = async (/** @type {any} */ router) => {
      const onError = (/** @type {unknown} */ err) => errors.push(err);
      const server = velocy.createServer(router, { onError });
      server.listen(0, "127.0.0.1");
      await once(server, "listening");
      t.after(() => {
        server.closeAllConnections();
        server.close();
      });
      return askerOf(server.address().port);
    };
    await check({ velocy, serve, load: module.default ?? module });
    assert.deepEqual(errors, [], "nothing went wrong on the side");
  });
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
        const { statusCode = 0, headers } = res;
        resolve({ statusCode, headers, body: Buffer.concat(await res.toArray()) });
      });
      req.on("error", reject);
      req.end(body);
    });
}

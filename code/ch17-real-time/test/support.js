import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import {
  connectTo,
  RawSocket,
  requestFor,
} from "../../contracts/realtime/client.js";
import { listen } from "../../contracts/router/ask.js";
import { createServer, Router } from "../index.js";

/** @import { TestContext } from "node:test" */

/**
 * @param {TestContext} t
 * @param {(router: any) => void} addRoutes
 * @param {object} [options] of createServer
 */
export async function serve(t, addRoutes, options = {}) {
  const router = new Router();
  addRoutes(router);
  /** @type {any[]} */
  const errors = [];
  const onError = (/** @type {any} */ err, /** @type {any} */ req) => {
    errors.push({ err, req });
  };
  const server = createServer(router, { ...options, onError });
  const port = await listen(t, server);
  return { port, errors, server };
}

/**
 * A client of ours, which leaves when the test is over.
 *
 * @param {TestContext} t
 * @param {number} port
 * @param {string} path
 * @param {Record<string, string | null>} [fields]
 */
export async function open(t, port, path, fields) {
  const socket = new RawSocket(connectTo(port));
  t.after(() => socket.leave());
  socket.send(requestFor(path, fields));
  await socket.untilHead();
  return socket;
}

/** @param {() => boolean} isTrue */
export async function waitUntil(isTrue) {
  for (let i = 0; i < 200 && !isTrue(); i += 1) await sleep(25);
  assert.ok(isTrue(), "it didn't come to that");
}

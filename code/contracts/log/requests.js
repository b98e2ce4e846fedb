import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { ask, listen } from "../router/ask.js";
import { Kept } from "./kept.js";

/** @import { TestContext } from "node:test" */

/**
 * What is asked, and what stands in the line about the answer. Unless it is
 * said, the answer was finished.
 *
 * @type {[method: string, path: string, expected: Record<string, unknown>][]}
 */
const ANSWERS = [
  ["GET", "/nothing", { status: 404, level: "info", route: undefined }],
  ["POST", "/hello/x", { status: 405, level: "info", route: undefined }],
  ["GET", "/empty", { status: 204, level: "info", route: "/empty" }],
  ["GET", "/fail", { status: 500, level: "error", route: "/fail" }],
  ["GET", "/hello/x", { status: 200, level: "info", route: "/hello/:id" }],
  ["HEAD", "/hello/x", { status: 200, level: "info", route: "/hello/:id" }],
  ["GET", "/slow", { status: 503, level: "error", ended: "timed out" }],
  ["GET", "/drip", { status: 200, level: "warn", ended: "timed out" }],
  ["GET", "/cut", { status: 200, level: "warn", ended: "cut" }],
];

/** @returns {never} */
function fail() {
  throw new Error("no");
}

/** @param {any} router */
function addRoutes(router) {
  const late = () => sleep(500, "late", { ref: false });
  router.get("/hello/:id", () => "hello");
  router.get("/empty", (/** @type {any} */ _req, /** @type {any} */ res) =>
    res.status(204).end(),
  );
  router.get("/fail", fail);
  router.get("/slow", { timeout: 50 }, late);
  router.get("/drip", { timeout: 100 }, async function* drip() {
    yield "drop";
    await late();
  });
  router.get("/cut", async function* cut() {
    yield "half";
    await sleep(20);
    fail();
  });
}

/**
 * Starts a server with `log()` around its routes.
 *
 * @param {TestContext} t
 * @param {any} velocy
 * @param {(router: any) => void} add
 */
export async function startLogged(t, { createServer, log, Router }, add) {
  const stream = new Kept();
  const router = new Router();
  router.use(log({ destination: stream }));
  add(router);
  const server = createServer(router, { onError: () => {} });
  const port = await listen(t, server);
  const firstLine = async () => {
    for (let i = 0; i < 300 && stream.text === ""; i += 1) await sleep(10);
    return stream.lines[0];
  };
  return { port, firstLine };
}

/**
 * The contract for the line that `log()` writes about an answer.
 *
 * @param {any} velocy
 */
export function testRequestLines(velocy) {
  for (const [method, path, expected] of ANSWERS) {
    test(`writes a line for ${method} ${path}`, async (t) => {
      const { port, firstLine } = await startLogged(t, velocy, addRoutes);
      // One that is cut rejects.
      await ask(port, method, path).catch(() => {});
      const line = await firstLine();
      const all = { ended: "finished", method, path, ...expected };
      for (const [key, value] of Object.entries(all)) {
        assert.equal(line[key], value, key);
      }
      const { bytes, first_byte_ms, last_byte_ms } = line;
      assert.ok(bytes > 0, `${bytes} bytes`);
      const times = `first ${first_byte_ms} ms, last ${last_byte_ms} ms`;
      assert.ok(first_byte_ms >= 0 && first_byte_ms <= last_byte_ms, times);
    });
  }
}

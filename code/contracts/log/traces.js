import assert from "node:assert/strict";
import { test } from "node:test";
import { ask } from "../router/ask.js";
import { startLogged } from "./requests.js";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const PARENT = "b7ad6b7169203331";

/**
 * What comes as `traceparent`, and whether its trace goes on. The sections
 * are those of W3C Trace Context.
 *
 * @type {[section: string, traceparent: string, isTaken: boolean][]}
 */
const PARENTS = [
  ["3.2.2.1", `ff-${TRACE}-${PARENT}-01`, false],
  ["3.2.2.1", `0-${TRACE}-${PARENT}-01`, false],
  ["3.2.2.1", "", false],
  ["3.2.2.2", `00-${TRACE}-${PARENT}-01-more`, false],
  ["3.2.2.2", `00-${TRACE}-${PARENT}`, false],
  ["3.2.2.3", `00-${"0".repeat(32)}-${PARENT}-01`, false],
  ["3.2.2.3", `00-${TRACE.toUpperCase()}-${PARENT}-01`, false],
  ["3.2.2.3", `00-${TRACE.slice(1)}-${PARENT}-01`, false],
  ["3.2.2.4", `00-${TRACE}-${"0".repeat(16)}-01`, false],
  ["3.2.2.4", `00-${TRACE}-${PARENT.toUpperCase()}-01`, false],
  ["3.2.2.5", `00-${TRACE}-${PARENT}-01`, true],
  ["3.2.2.5", `00-${TRACE}-${PARENT}-00`, true],
  ["3.2.2.5", `00-${TRACE}-${PARENT}-ff`, true],
  ["3.2.2.5", `00-${TRACE}-${PARENT}-1`, false],
  ["3.2.2.5", `00-${TRACE}-${PARENT}-0x`, false],
  ["3.2.4", `01-${TRACE}-${PARENT}-01`, true],
  ["3.2.4", `cc-${TRACE}-${PARENT}-01-what-the-future-brings`, true],
  ["3.2.4", `cc-${TRACE}-${PARENT}-01more`, false],
];

/**
 * The contract for `req.trace`: what is sent on for what came.
 *
 * @param {any} velocy
 */
export function testTraces(velocy) {
  const add = (/** @type {any} */ router) => {
    router.get("/", (/** @type {any} */ req) => req.trace.traceparent);
  };
  for (const [section, traceparent, isTaken] of PARENTS) {
    const what = isTaken ? "continues" : "refuses";
    const source = `W3C Trace Context, section ${section}`;
    test(`${what} ${JSON.stringify(traceparent)} (${source})`, async (t) => {
      const { port } = await startLogged(t, velocy, add);
      const headers = { traceparent };
      const { body } = await ask(port, "GET", "/", { headers });
      const [version, traceId, spanId, flags] = body.split("-");
      assert.equal(version, "00");
      assert.match(traceId, /^[\da-f]{32}$/);
      assert.equal(traceId === TRACE, isTaken);
      assert.match(spanId, /^[\da-f]{16}$/);
      assert.notEqual(spanId, PARENT);
      const isSampled = isTaken && /-(01|ff)/.test(traceparent);
      assert.equal(flags, isSampled ? "01" : "00");
    });
  }
}

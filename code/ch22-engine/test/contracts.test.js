import assert from "node:assert/strict";
import { once } from "node:events";
import http from "node:http";
import net from "node:net";
import { describe, it } from "node:test";
import { CASES } from "../../contracts/bodies/cases.js";
import { testBodies, testUnread } from "../../contracts/bodies/index.js";
import {
  testAddresses,
  testCookieFields,
  testCors,
  testCsrf,
  testHeldAnswers,
  testLimits,
  testSecureFields,
  testSessions,
  testSetCookie,
} from "../../contracts/defaults/index.js";
import { testFiles } from "../../contracts/files/index.js";
import { testNotModified } from "../../contracts/files/not-modified.js";
import {
  testGuards,
  testMounts,
  testNames,
  testOnion,
  testOwn,
  testSignal,
} from "../../contracts/middleware/index.js";
import { testRealtime } from "../../contracts/realtime/index.js";
import {
  testAccepts,
  testConditionalAnswers,
  testErrors,
  testFraming,
  testHooks,
  testMethods,
  testPreconditionsHold,
  testQuietStreams,
  testRedirects,
  testReturned,
  testStreams,
} from "../../contracts/responses/index.js";
import { portOf } from "../../contracts/router/ask.js";
import { testServer } from "../../contracts/router/server.js";
import { testTargets } from "../../contracts/targets/index.js";
import * as onNodeHttp from "../index.js";
import { createServer } from "../lib/engine/index.js";

const { compress, etag, files, MemoryLimits, MemoryStore, Router } =
  onNodeHttp;

/** What a program imports that takes its server from velocy/engine. */
const velocy = { ...onNodeHttp, createServer, inTurn: true };

/** @param {onNodeHttp.Router} router */
async function start(router) {
  const server = createServer(router).listen(0);
  await once(server, "listening");
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { port: portOf(server), close };
}

describe("Through the framework", () => {
  it("are those of another server than node:http's", () => {
    const server = createServer(new Router());
    assert.equal(server instanceof net.Server, true);
    assert.equal(server instanceof http.Server, false);
  });

  describe("targets", () => {
    testTargets((routes) => {
      const router = new Router();
      for (const { pattern, handler } of routes)
        router.get(pattern, handler);
      return start(router);
    });
  });
  describe("routes", () => {
    testServer({
      Router,
      createServer,
      can: ["onError", "parameters", "queryParams"],
      inTurn: true,
    });
  });

  describe("answers", () => {
    testMethods(velocy);
    testFraming(velocy, { returns: true });
    testReturned(velocy);
    testRedirects(velocy);
    testErrors(velocy);
    testAccepts(velocy);
    testHooks(velocy);
    testStreams(velocy);
    testQuietStreams(velocy);
    testConditionalAnswers(velocy);
    testPreconditionsHold(velocy);
  });

  describe("middleware", () => {
    testOnion(velocy);
    testGuards(velocy);
    testMounts(velocy);
    testNames(velocy);
    testOwn(velocy);
    testSignal(velocy);
  });

  describe("bodies", () => {
    for (const group of Object.keys(CASES)) testBodies(velocy, group);
    testUnread(velocy);
  });

  describe("files", () => {
    testFiles((root) => {
      const handler = files(root, { precompressed: true });
      return start(new Router().all("/static/*", handler));
    });
  });

  describe("what was not modified, packed", () => {
    const text = "All work and no play makes Jack a dull boy.\n";
    testNotModified(async () => {
      const router = new Router().use(compress());
      router.use(etag()).get("/returned", () => text.repeat(100));
      return start(router);
    }, [["/returned", {}]]);
  });

  describe("cookies and sessions", () => {
    testCookieFields(velocy);
    testSetCookie(velocy);
    testSessions(velocy, () => new MemoryStore());
    testHeldAnswers(velocy);
  });

  describe("other sites' pages", () => {
    testCsrf(velocy);
    testCors(velocy);
    testSecureFields(velocy);
  });

  describe("who asks, and how often", () => {
    testAddresses(velocy);
    testLimits(velocy, () => new MemoryLimits());
  });

  describe("real time", () => testRealtime(velocy));
});

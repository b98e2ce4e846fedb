import assert from "node:assert/strict";
import { once } from "node:events";
import { after, describe, it } from "node:test";
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
import { takeNetworkAway } from "../../contracts/in-memory.js";
import { testRequestLines, testTraces } from "../../contracts/log/index.js";
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
import * as velocy from "../index.js";
import { MemorySocket } from "../lib/testing/socket.js";

const { createServer, MemoryLimits, MemoryStore, Router } = velocy;
const network = takeNetworkAway(MemorySocket);

/** @param {velocy.Router} router */
async function start(router) {
  const server = createServer(router).listen(0);
  await once(server, "listening");
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { port: portOf(server), close };
}

describe("As slow and as rude as a real one", () => {
  it("takes back the listener of a timer that is turned off", () => {
    const [client] = MemorySocket.pair();
    const tell = () => {};
    client.setTimeout(50, tell);
    assert.equal(client.listenerCount("timeout"), 1);
    client.setTimeout(0, tell);
    assert.equal(client.listenerCount("timeout"), 0);
    client.destroy();
  });
});

describe("The same code", () => {
  after(() => {
    const { connections } = network;
    assert.ok(connections > 1000, `only ${connections} went this way`);
  });

  it("needs no network for what listens on a port", async () => {
    const { port, close } = await start(new Router());
    assert.ok(port > 65_535, `${port} is a port of the system`);
    close();
  });

  testTargets((routes) => {
    const router = new Router();
    for (const { pattern, handler } of routes) router.get(pattern, handler);
    return start(router);
  });
  testServer({
    Router,
    createServer,
    can: ["onError", "parameters", "queryParams"],
  });

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

  testOnion(velocy);
  testGuards(velocy);
  testMounts(velocy);
  testNames(velocy);
  testOwn(velocy);
  testSignal(velocy);

  for (const group of Object.keys(CASES)) testBodies(velocy, group);
  testUnread(velocy);

  testFiles((root) => {
    const handler = velocy.files(root, { precompressed: true });
    return start(new Router().all("/static/*", handler));
  });

  testRequestLines(velocy);
  testTraces(velocy);

  testCookieFields(velocy);
  testSetCookie(velocy);
  testSessions(velocy, () => new MemoryStore());
  testHeldAnswers(velocy);
  testCsrf(velocy);
  testCors(velocy);
  testSecureFields(velocy);
  testAddresses(velocy);
  testLimits(velocy, () => new MemoryLimits());

  testRealtime(velocy);
});

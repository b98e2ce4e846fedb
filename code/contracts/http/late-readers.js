/**
 * What a server of velocy's owes to a client that reads late, or asks for
 * more than it reads. The engine and node:http are held to the same.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { once } from "node:events";
import net from "node:net";
import { it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** @import { TestContext } from "node:test" */

const LARGE = "x".repeat(30_000_000);
const QUICK = {
  keepAliveTimeout: 200,
  keepAliveTimeoutBuffer: 0,
  connectionsCheckingInterval: 50,
};
/** Longer than an engine waits for a client behind its last answer, in ms. */
const BEYOND_LINGER = 6_500;
/** Megabytes that may be held for who reads nothing. */
const MOST_HELD = 200;

/** @param {TestContext} t @param {any} velocy */
async function serveLarge(t, { createServer, Router }) {
  const router = new Router();
  router.get("/", () => LARGE);
  const server = createServer(router, QUICK).listen(0, "127.0.0.1");
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  await once(server, "listening");
  return server;
}

/** @param {TestContext} t @param {any} server @param {string} fields */
async function askLarge(t, server, fields = "") {
  const socket = net.connect(server.address().port, "127.0.0.1");
  t.after(() => socket.destroy());
  socket.on("error", () => {});
  await once(socket, "connect");
  socket.write(`GET / HTTP/1.1\r\nHost: a\r\n${fields}\r\n`);
  return socket;
}

/** @param {net.Socket} socket */
async function readLength(socket) {
  let length = 0;
  socket.on("data", (chunk) => {
    length += chunk.length;
  });
  await once(socket, "close");
  return length;
}

/**
 * @param {any} velocy
 * @param {string} program the path of a server's module, and its name
 */
export function testLateReaders(velocy, program) {
  for (const [how, fields, wait] of /** @type {const} */ ([
    ["a connection that stays", "", 1_000],
    ["the last answer", "Connection: close\r\n", BEYOND_LINGER],
  ])) {
    it(`sends all of a large answer to who reads late: ${how}`, async (t) => {
      const server = await serveLarge(t, velocy);
      const socket = await askLarge(t, server, fields);
      await sleep(wait);
      const length = await readLength(socket);
      assert.ok(length > LARGE.length, `it got ${length} bytes`);
    });
  }

  it("waits for who reads late when it closes", async (t) => {
    const server = await serveLarge(t, velocy);
    const socket = await askLarge(t, server);
    await sleep(200);
    const closed = velocy.closeGracefully(server, { deadline: 10_000 });
    await sleep(1_000);
    const length = await readLength(socket);
    assert.ok(length > LARGE.length, `it got ${length} bytes`);
    assert.deepEqual(await closed, { finished: 1, cut: 0 });
  });

  it("counts as cut who hasn't read all at the deadline", async (t) => {
    const server = await serveLarge(t, velocy);
    await askLarge(t, server);
    await sleep(200);
    const closed = velocy.closeGracefully(server, { deadline: 500 });
    assert.deepEqual(await closed, { finished: 0, cut: 1 });
  });

  it("holds little for who asks two thousand times and reads nothing", async () => {
    const path = fileURLToPath(new URL("pipeline.js", import.meta.url));
    const run = promisify(execFile);
    const { stdout } = await run(process.execPath, [path, program]);
    const grown = Number(stdout);
    assert.ok(grown > 0 && grown < MOST_HELD, `${grown} MB are held`);
  });
}

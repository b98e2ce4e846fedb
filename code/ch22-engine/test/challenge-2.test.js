import assert from "node:assert/strict";
import { once } from "node:events";
import net from "node:net";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { portOf } from "../../contracts/router/ask.js";
import { Router } from "../index.js";
import { createServer } from "../lib/engine/index.js";

const skip = process.env.CHALLENGE !== "2" && "challenge 2";

/** @param {import("node:test").TestContext} t @param {object} [options] */
async function serve(t, options) {
  const router = new Router();
  router.get("/", () => "hello");
  router.get("/slow", () => new Promise(() => {}));
  const server = /** @type {any} */ (createServer(router, options));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return server;
}

/** @param {any} server @param {string} bytes */
async function send(server, bytes) {
  const socket = net.connect(portOf(server), "127.0.0.1");
  socket.on("error", () => {});
  await once(socket, "connect");
  socket.write(bytes);
  return socket;
}

const GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

describe("Challenges", { skip }, () => {
  it("says close to a connection that is old, and then closes", async (t) => {
    const options = {
      maxConnectionAge: 300,
      connectionsCheckingInterval: 20,
    };
    const server = await serve(t, options);
    const socket = await send(server, GET);
    const [first] = await once(socket, "data");
    assert.match(String(first), /\r\nConnection: keep-alive\r\n/);
    await sleep(500);
    socket.write(GET);
    const [second] = await once(socket, "data");
    assert.match(String(second), /\r\nConnection: close\r\n/);
    assert.match(String(second), /hello$/);
    await once(socket, "end");
  });

  it("keeps an old connection without the option", async (t) => {
    const server = await serve(t, { connectionsCheckingInterval: 20 });
    const socket = await send(server, GET);
    await once(socket, "data");
    await sleep(500);
    socket.write(GET);
    const [second] = await once(socket, "data");
    assert.match(String(second), /\r\nConnection: keep-alive\r\n/);
    socket.destroy();
  });
});

import assert from "node:assert/strict";
import { once } from "node:events";
import net from "node:net";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { portOf } from "../../contracts/router/ask.js";
import { Router } from "../index.js";
import { createServer } from "../lib/engine/index.js";

const skip = process.env.CHALLENGE !== "1" && "challenge 1";

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

describe("Challenges", { skip }, () => {
  it("counts the connections by what they wait for", async (t) => {
    const server = await serve(t);
    assert.deepEqual(server.countConnections(), {});
    const sockets = [
      await send(server, "GET / HT"),
      await send(server, "GET /slow HTTP/1.1\r\nHost: a\r\n\r\n"),
      await send(server, "GET /slow HTTP/1.1\r\nHost: a\r\n\r\n"),
    ];
    for (let i = 0; i < 3; i += 1) {
      const socket = await send(
        server,
        "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
      );
      await once(socket, "data");
      sockets.push(socket);
    }
    const expected = { head: 1, answer: 2, idle: 3 };
    for (let i = 0; i < 40; i += 1) {
      if (server.countConnections().answer === 2) break;
      await sleep(25);
    }
    assert.deepEqual(server.countConnections(), expected);
    for (const socket of sockets) socket.destroy();
    for (let i = 0; i < 40; i += 1) {
      if (Object.keys(server.countConnections()).length === 0) break;
      await sleep(25);
    }
    assert.deepEqual(server.countConnections(), {});
  });
});

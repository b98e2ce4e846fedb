import assert from "node:assert/strict";
import { once } from "node:events";
import net from "node:net";
import { describe, it } from "node:test";
import { portOf } from "../../contracts/router/ask.js";
import { Router } from "../index.js";
import { createServer } from "../lib/engine/index.js";

const skip = process.env.CHALLENGE !== "3" && "challenge 3";

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

/** @param {any} server @param {string} bytes */
async function answerTo(server, bytes) {
  const socket = await send(server, bytes);
  const [chunk] = await once(socket, "data");
  socket.destroy();
  return String(chunk);
}

/** @param {number} length of the request line */
function withLine(length) {
  const target = "/".padEnd(length - "GET  HTTP/1.1".length, "a");
  return `GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`;
}

describe("Challenges", { skip }, () => {
  it("refuses a request line that is longer", async (t) => {
    const server = await serve(t, { maxRequestLineSize: 100 });
    const statusOf = async (/** @type {string} */ bytes) =>
      (await answerTo(server, bytes)).slice(9, 12);
    assert.equal(await statusOf(withLine(100)), "404");
    assert.equal(await statusOf(withLine(101)), "414");
    assert.equal(await statusOf(`GET /${"a".repeat(200)}`), "414");
    const fields = `X: ${"a".repeat(500)}`;
    const head = `GET / HTTP/1.1\r\nHost: a\r\n${fields}\r\n\r\n`;
    assert.equal(await statusOf(head), "200");
  });
});

import assert from "node:assert/strict";
import { once } from "node:events";
import net from "node:net";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { closeGracefully, createServer, Router } from "../index.js";

const skip = process.env.CHALLENGE !== "3" && "challenge 3";

describe("Challenges", { skip }, () => {
  it("tells who was cut, and what was under way", async (t) => {
    const router = new Router();
    router.get("/fast", () => "fast");
    router.get("/never/:id", () => new Promise(() => {}));
    const options = { keepAliveTimeout: 60_000 };
    const server = createServer(router, options).listen(0);
    await once(server, "listening");
    t.after(() => {
      server.close();
      server.closeAllConnections();
    });
    /** @type {net.Socket[]} */
    const taken = [];
    server.on("connection", (socket) => taken.push(socket));
    const { port } = /** @type {any} */ (server.address());
    const sockets = [
      "GET /never/7 HTTP/1.1\r\nHost: x\r\n\r\n",
      "GET /fast HTTP/1.1\r\nHost: x\r\n\r\nGET /fa",
      "GET /fa",
      "GET /fast HTTP/1.1\r\nHost: x\r\n\r\n",
      "",
    ].map((bytes) => {
      const socket = net.connect(port);
      t.after(() => socket.destroy());
      socket.on("error", () => {});
      socket.write(bytes);
      return socket.resume();
    });
    // Until all have come, and what four of them have sent.
    const isRead = (/** @type {net.Socket} */ { bytesRead }) =>
      bytesRead > 0;
    for (let i = 0; i < 200 && taken.filter(isRead).length < 4; i += 1) {
      await sleep(20);
    }
    while (taken.length < sockets.length) await sleep(20);
    await sleep(100);
    /** @type {any[]} */
    const told = [];
    const onCut = (/** @type {any} */ socket, /** @type {any} */ req) => {
      told.push([socket.remotePort ?? 0, req?.path ?? null]);
    };
    const given = /** @type {any} */ ({ deadline: 100, onCut });
    const { cut } = await closeGracefully(server, given);
    assert.equal(cut, told.length);
    const paths = told.map(([, path]) => path).sort();
    assert.deepEqual(paths, ["/never/7", null, null]);
    assert.ok(sockets.length > told.length, "the idle one isn't told of");
  });

  it("refuses what is no function", () => {
    const options = /** @type {any} */ ({ onCut: 1 });
    assert.throws(
      () => closeGracefully(createServer(new Router()), options),
      {
        code: "ERR_OPTION_INVALID",
      },
    );
  });
});

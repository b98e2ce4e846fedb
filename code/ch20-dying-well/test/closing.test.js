import assert from "node:assert/strict";
import { once } from "node:events";
import http from "node:http";
import { describe, it } from "node:test";
import { close } from "../../contracts/realtime/frames.js";
import { openServer, testClosing } from "../../contracts/running/index.js";
import * as velocy from "../index.js";
import { connectionsOf } from "../lib/running/connections.js";
import { open } from "./support.js";

const { closeGracefully } = velocy;

describe("The last answer", () => {
  testClosing(velocy, { groups: ["answers", "server"] });

  it("stops the server's clock when all are gone", async (t) => {
    const { server } = await openServer(t, velocy);
    const stopped = t.mock.method(globalThis, "clearInterval");
    await closeGracefully(server);
    assert.equal(stopped.mock.callCount(), 1);
    const [clock] = stopped.mock.calls[0].arguments;
    assert.equal(typeof clock, "object");
  });
});

describe("Two under way", () => {
  testClosing(velocy, { groups: ["pipelines"] });
});

describe("What has no end", () => {
  testClosing(velocy, { groups: ["deadline"] });

  it("doesn't count what is idle at the deadline", async (t) => {
    const { server, port } = await openServer(t, velocy);
    server.keepAliveTimeout = 60_000;
    const agent = new http.Agent({ keepAlive: true });
    t.after(() => agent.destroy());
    const request = http.get({ agent, port, path: "/fast" });
    const [response] = await once(request, "response");
    response.resume();
    await once(response, "end");
    assert.equal(connectionsOf(server).size, 1);
    const closed = await closeGracefully(server, { deadline: 100 });
    assert.deepEqual(closed, { finished: 1, cut: 0 });
  });

  it("closes a connection that never said a word, and doesn't count it", async (t) => {
    const { server, port } = await openServer(t, velocy);
    server.headersTimeout = 60_000;
    const request = http.request({ port });
    request.on("error", () => {});
    t.after(() => request.destroy());
    const [socket] = await once(request, "socket");
    await once(socket, "connect");
    while (connectionsOf(server).size === 0) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    const closed = await closeGracefully(server, { deadline: 100 });
    assert.equal(closed.cut, 0);
  });

  it("aborts the signal of a request that is cut", async (t) => {
    const router = new velocy.Router();
    /** @type {any} */
    let signal;
    router.get("/", (req) => {
      signal = req.signal;
      return new Promise(() => {});
    });
    const server = velocy.createServer(router).listen(0);
    t.after(() => server.close());
    await once(server, "listening");
    const { port } = /** @type {any} */ (server.address());
    const request = http.get({ port });
    const failed = once(request, "error");
    await once(server, "request");
    const { cut } = await closeGracefully(server, { deadline: 50 });
    assert.equal(cut, 1);
    assert.equal(signal.aborted, true);
    await failed;
  });

  it("leaves no timer behind when it is done before the deadline", async (t) => {
    const { server } = await openServer(t, velocy);
    const count = () =>
      process.getActiveResourcesInfo().filter((name) => name === "Timeout")
        .length;
    const before = count();
    await closeGracefully(server, { deadline: 60_000 });
    assert.equal(count(), before);
  });
});

describe("Goodbye", () => {
  testClosing(velocy, { groups: ["goodbyes"] });

  it("counts a WebSocket that answers as finished", async (t) => {
    const { server, port } = await openServer(t, velocy);
    const socket = await open(t, port, "/socket");
    const closed = closeGracefully(server, { deadline: 5000 });
    await socket.untilFrames(1);
    assert.deepEqual(
      [socket.frames[0].opcode, socket.frames[0].payload.readUInt16BE(0)],
      [8, 1001],
    );
    socket.send(close(1001));
    await socket.untilEnd();
    socket.leave();
    assert.deepEqual(await closed, { finished: 1, cut: 0 });
  });
});

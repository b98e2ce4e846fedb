import assert from "node:assert/strict";
import { once } from "node:events";
import http from "node:http";
import net from "node:net";
import { describe, it } from "node:test";
import { close } from "../../contracts/realtime/frames.js";
import { openServer, testClosing } from "../../contracts/running/index.js";
import * as velocy from "../index.js";
import { newestAnswer } from "../lib/response/newest.js";
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

  it("forgets the answer of a WebSocket, whose client may stay", async (t) => {
    const { server, port } = await openServer(t, velocy);
    const connected = once(server, "connection");
    await open(t, port, "/socket");
    const [connection] = await connected;
    assert.equal(newestAnswer(connection), undefined);
  });

  it("forgets the answer of a connection that idles", async (t) => {
    const { server, port } = await openServer(t, velocy);
    const connected = once(server, "connection");
    const agent = new http.Agent({ keepAlive: true });
    t.after(() => agent.destroy());
    const request = http.get({ agent, port, path: "/fast" });
    const [response] = await once(request, "response");
    const [connection] = await connected;
    response.resume();
    await once(response, "end");
    const until = Date.now() + 1000;
    while (newestAnswer(connection) !== undefined && Date.now() < until) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    assert.equal(newestAnswer(connection), undefined);
    assert.ok(!connection.destroyed, "the connection is kept");
  });
});

describe("What has no end", () => {
  testClosing(velocy, { groups: ["deadline"] });

  it("counts what is idle at the deadline as finished", async (t) => {
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

  it("closes a connection that never said a word, and doesn't count it as cut", async (t) => {
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

  it("counts a connection that comes while it closes", async (t) => {
    const { server } = await openServer(t, velocy);
    const door = net.createServer().listen(0, "127.0.0.1");
    t.after(() => door.close());
    await once(door, "listening");
    const { port } = /** @type {net.AddressInfo} */ (door.address());
    const arrived = once(door, "connection");
    const client = net.connect(port, "127.0.0.1");
    t.after(() => client.destroy());
    client.on("error", () => {});
    const [connection] = await arrived;
    const closed = closeGracefully(server, { deadline: 300 });
    server.emit("connection", connection);
    client.write("GET /never HTTP/1.1\r\nHost: x\r\n\r\n");
    assert.deepEqual(await closed, { finished: 0, cut: 1 });
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

import assert from "node:assert/strict";
import { once } from "node:events";
import net from "node:net";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { delayed } from "../delay.js";
import { add, database, NO_POSTGRES, nodeServer } from "./rig.js";

/** @param {net.Server} server */
async function listen(server) {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return /** @type {net.AddressInfo} */ (server.address()).port;
}

describe("How many connections", () => {
  it("holds each byte, both ways, and changes none", async (t) => {
    const echo = net.createServer((socket) => socket.pipe(socket));
    t.after(() => echo.close());
    const proxy = delayed(await listen(echo), 50);
    t.after(() => proxy.close());
    const socket = net.connect(await listen(proxy), "127.0.0.1");
    const start = performance.now();
    const sent = Array.from({ length: 200 }, (_, i) => `${i},`).join("");
    socket.write(sent.slice(0, 100));
    setTimeout(() => socket.end(sent.slice(100)), 10);
    let got = "";
    for await (const chunk of socket.setEncoding("latin1")) got += chunk;
    assert.equal(got, sent);
    const took = performance.now() - start;
    assert.ok(took >= 98, `${took} ms`);
  });

  it("keeps what a slow reader hasn't taken yet", async (t) => {
    // More than the kernel holds for both.
    const sent = 30_000_000;
    const server = net.createServer((socket) => {
      socket.resume().end(Buffer.alloc(sent));
    });
    t.after(() => server.close());
    const connected = once(server, "connection");
    const proxy = delayed(await listen(server), 20);
    t.after(() => proxy.close());
    const socket = net.connect(await listen(proxy), "127.0.0.1");
    socket.end("x");
    const [served] = await connected;
    await once(served, "close");
    // Whatever the proxy does once a side is closed, it has done by now.
    await sleep(200);
    let got = 0;
    for await (const chunk of socket) got += chunk.length;
    assert.equal(got, sent);
  });

  it("closes what it has opened when either side goes", async (t) => {
    /** @type {net.Socket[]} */
    const sockets = [];
    const server = net.createServer((socket) => {
      sockets.push(socket.on("error", () => {}));
      socket.resume();
    });
    t.after(() => server.close());
    const proxy = delayed(await listen(server), 5);
    t.after(() => proxy.close());
    const client = net.connect(await listen(proxy), "127.0.0.1");
    client.write("x");
    while (sockets.length === 0) await once(server, "connection");
    client.resetAndDestroy();
    await once(sockets[0], "close");
  });

  it("makes each user take both ways", { skip: NO_POSTGRES }, async (t) => {
    const { port } = await database(t);
    const proxy = delayed(port, 40);
    t.after(() => proxy.close());
    const DATABASE_URL = `postgres://postgres@127.0.0.1:${await listen(proxy)}/`;
    const server = await nodeServer(t, { DATABASE_URL, POOL: "1" });
    const user = { email: "ada@example.org", password: "correct horse" };
    await add(server.port, user);
    const start = performance.now();
    const { status } = await add(server.port, user);
    const took = performance.now() - start;
    assert.equal(status, 201);
    assert.ok(took >= 78, `${took} ms`);
  });
});

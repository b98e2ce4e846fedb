import assert from "node:assert/strict";
import { once } from "node:events";
import { describe, it } from "node:test";
import { startServer } from "../../contracts/http/index.js";
import { Program } from "../../contracts/program.js";
import { Visitor } from "../../contracts/visitor.js";
import { createServer } from "../lib/server.js";

const skip = process.env.CHALLENGE !== "1" && "challenge 1";

const GET = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

/** How a connection can end. @type {Record<string, Leave>} */
const WAYS = {
  "its client closes it": (visitor) => visitor.leave(),
  "its client breaks it off": (visitor) => visitor.reset(),
  "its client asks for its end": (visitor) =>
    visitor.send(GET.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n")),
  "it is refused": (visitor) => visitor.send("pizza\r\n"),
};

describe("Challenges", { skip, timeout: 60_000 }, () => {
  it("answers one connection too many with 429, unasked", async (t) => {
    const { address } = await start(t, { connectionsPerAddress: 3 });
    for (let count = 0; count < 3; count++) await enter(address);
    await expectNoRoom(address);
  });

  for (const [way, leave] of Object.entries(WAYS)) {
    it(`has room again for another when ${way}`, async (t) => {
      const { address } = await start(t, { connectionsPerAddress: 1 });
      await leave(await enter(address));
      await enter(address);
      await expectNoRoom(address);
    });
  }

  it("still counts right when many have come and gone", async (t) => {
    const { address } = await start(t, { connectionsPerAddress: 2 });
    for (let round = 0; round < 5; round++) {
      for (const leave of Object.values(WAYS)) {
        await leave(await enter(address));
      }
    }
    await enter(address);
    await enter(address);
    await expectNoRoom(address);
  });

  it("has no more room because it turned somebody away", async (t) => {
    const { address } = await start(t, { connectionsPerAddress: 2 });
    const visitor = await enter(address);
    await enter(address);
    for (let count = 0; count < 5; count++) await expectNoRoom(address);
    visitor.leave();
    await enter(address);
    await expectNoRoom(address);
  });

  it("lets go of those that it turned away", async (t) => {
    const { address, sockets } = await start(t, {
      connectionsPerAddress: 1,
    });
    await enter(address);
    const visitor = await Visitor.connect(address);
    await visitor.send(GET);
    const { status } = await visitor.response();
    assert.equal(status, 429);
    const [, socket] = sockets;
    const closed = socket.destroyed || once(socket, "close");
    visitor.leave();
    await closed;
  });

  it("counts each address for itself", async (t) => {
    const { address } = await start(t, { connectionsPerAddress: 1 });
    const one = { ...address, host: "127.0.0.1" };
    const other = { ...address, host: "::1" };
    const probe = await Visitor.connect(other).catch(() => undefined);
    if (probe === undefined) return t.skip("this machine has no ::1");
    probe.leave();
    await enter(one);
    await enter(other);
    await expectNoRoom(one);
    await expectNoRoom(other);
  });

  it("lets a hundred in when nothing else is said", async (t) => {
    const server = await Program.start(new URL("..", import.meta.url));
    t.after(() => server.close());
    const visitors = await Promise.all(
      Array.from({ length: 100 }, () => Visitor.connect(server)),
    );
    await expectNoRoom(server);
    for (const visitor of visitors) visitor.send(GET);
    for (const visitor of visitors) {
      const { status } = await visitor.response();
      assert.equal(status, 200);
    }
  });
});

/**
 * @typedef {(visitor: Visitor) => unknown} Leave
 * @typedef {import("../../contracts/visitor.js").Address} Address
 */

/**
 * @param {import("node:test").TestContext} t
 * @param {any} limits
 */
async function start(t, limits) {
  /** The server's ends. @type {import("node:net").Socket[]} */
  const sockets = [];
  const response = { statusCode: 200, fields: {}, body: "" };
  const create = () => {
    const server = createServer(() => response, { limits });
    return server.on("connection", (socket) => sockets.push(socket));
  };
  const address = await startServer(create)({ limits: {} });
  t.after(() => address.close());
  return { address, sockets };
}

/**
 * Comes again until there is room, as the server may not have noticed yet
 * that somebody is gone.
 *
 * @param {Address} address
 * @returns {Promise<Visitor>} who is in
 */
async function enter(address) {
  const deadline = Date.now() + 3_000;
  for (;;) {
    const visitor = await Visitor.connect(address);
    await visitor.send(GET);
    const { status } = await visitor.response();
    if (status === 200) return visitor;
    assert.equal(status, 429);
    assert.ok(Date.now() < deadline, "there is no room, and should be");
  }
}

/** @param {Address} address */
async function expectNoRoom(address) {
  const visitor = await Visitor.connect(address);
  const { status } = await visitor.response();
  assert.equal(status, 429);
  assert.equal(await visitor.end(), "closed");
}

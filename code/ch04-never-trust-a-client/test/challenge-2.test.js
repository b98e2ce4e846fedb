import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { startServer } from "../../contracts/http/index.js";
import { Visitor } from "../../contracts/visitor.js";
import { createServer } from "../lib/server.js";

const skip = process.env.CHALLENGE !== "2" && "challenge 2";

const GET = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
const MEBIBYTE = 1024 ** 2;
/** Nobody is late. */
const PATIENT = { idleTimeout: 60_000, headTimeout: 60_000 };

describe("Challenges", { skip, timeout: 60_000 }, () => {
  it("lets the newest wait until another has ended", async (t) => {
    const { address } = await start(t, { ...PATIENT, connections: 2 });
    const one = await come(address);
    const other = await come(address);
    await one.response();
    await other.response();
    const newest = await come(address);
    await talk(one, 10);
    assert.equal(newest.bytes.length, 0, "it got an answer already");
    other.leave();
    const { status } = await newest.response();
    assert.equal(status, 200);
  });

  it("lets one in for each that ends", async (t) => {
    const { address } = await start(t, { ...PATIENT, connections: 1 });
    const first = await come(address);
    await first.response();
    const two = [await come(address), await come(address)];
    first.leave();
    const isIn = await Promise.race(
      two.map((visitor) => visitor.response().then(() => visitor)),
    );
    const waits = two.find((visitor) => visitor !== isIn);
    await talk(isIn, 10);
    assert.equal(waits.bytes.length, 0, "both were let in");
    isIn.leave();
    const { status } = await waits.response();
    assert.equal(status, 200);
  });

  it("doesn't read what somebody who waits sends", async (t) => {
    const { address, sockets } = await start(t, {
      ...PATIENT,
      connections: 1,
    });
    const first = await come(address);
    await first.response();
    const visitor = await Visitor.connect(address);
    visitor.send(Buffer.alloc(50 * MEBIBYTE, "x"));
    await talk(first, 200);
    const { bytesRead } = sockets[1];
    assert.ok(bytesRead < MEBIBYTE, `it read ${bytesRead} bytes`);
    visitor.leave();
  });

  it("forgets who has gone away while waiting", async (t) => {
    const { address } = await start(t, { ...PATIENT, connections: 1 });
    const first = await come(address);
    await first.response();
    const impatient = [await come(address), await come(address)];
    impatient[0].reset();
    impatient[1].leave();
    const patient = await come(address);
    first.leave();
    const { status } = await patient.response();
    assert.equal(status, 200);
  });

  it("answers 503 after idleTimeout, to come again in a second", async (t) => {
    const { address } = await start(t, {
      headTimeout: 60_000,
      idleTimeout: 300,
      connections: 1,
    });
    const first = await Visitor.connect(address);
    await first.send("GET / HT");
    const begin = performance.now();
    const two = [await Visitor.connect(address), await come(address)];
    for (const visitor of two) {
      const { status, fields } = await visitor.response();
      const waited = performance.now() - begin;
      assert.equal(status, 503);
      assert.equal(fields.get("retry-after")?.join(), "1");
      // A timer may be early by a little.
      assert.ok(waited > 290, `it waited ${waited} ms`);
      assert.equal(await visitor.end(), "closed");
    }
    await first.send("TP/1.1\r\nHost: x\r\n\r\n");
    const { status } = await first.response();
    assert.equal(status, 200);
  });

  it("has no more room because it sent somebody away", async (t) => {
    const { address } = await start(t, {
      headTimeout: 60_000,
      idleTimeout: 300,
      connections: 1,
    });
    const first = await Visitor.connect(address);
    await first.send("GET / HT");
    const second = await come(address);
    await second.end();
    const third = await come(address);
    await first.send("TP/1.1\r\nHost: x\r\n\r\n");
    await first.response();
    await talk(first, 10);
    assert.equal(third.bytes.length, 0, "there were two at once");
  });
});

/** @typedef {import("../../contracts/visitor.js").Address} Address */

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
 * @param {Address} address
 * @returns {Promise<Visitor>} who has asked, and perhaps waits
 */
async function come(address) {
  const visitor = await Visitor.connect(address);
  await visitor.send(GET);
  return visitor;
}

/**
 * Asks and is answered, so often that the server has had time for others.
 *
 * @param {Visitor} visitor
 * @param {number} times
 */
async function talk(visitor, times) {
  for (let count = 0; count < times; count++) {
    await visitor.send(GET);
    await visitor.response(visitor.responses.length + 1);
  }
}

import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { ResponseReader } from "./response-reader.js";
import { startServer } from "./start.js";

/** @typedef {import("./start.js").Start} Start */

/** More than the buffers of both kernels hold, in bytes. */
const MORE_THAN_BUFFERS = 30 * 1024 ** 2;
/** A request whose answer is about as long as itself. */
const requestOf = (/** @type {number} */ number) =>
  `GET /${number} HTTP/1.1\r\nHost: a\r\nX-Pad: ${"a".repeat(4000)}\r\n\r\n`;
/** In milliseconds, sendTimeout for each mebibyte. */
const IMPATIENT = { idleTimeout: 100, sendTimeout: 60 };
const PATIENT = { idleTimeout: 100, sendTimeout: 300 };
const LARGE = "a".repeat(MORE_THAN_BUFFERS);
/** How many such requests a client sends who reads late. */
const MANY = 4000;

/**
 * What a server does with a client that sends and doesn't read. Nothing of
 * HTTP says it; the memory of the server does.
 *
 * @param {Start} start
 * @param {(handler: () => object, options: object) =>
 *   import("node:net").Server} createServer of chapter 4
 */
export function slowReaders(start, createServer) {
  const large = { statusCode: 200, fields: {}, body: LARGE };
  const startLarge = startServer((options) =>
    createServer(() => large, options),
  );

  it("stops reading from a client that doesn't read", async (t) => {
    const { socket, close } = await connectTo(start);
    t.after(close);
    const sent = await sendUntilStuck(socket);
    assert.ok(sent < MORE_THAN_BUFFERS, `it took all of ${sent} bytes`);
  });

  it("serves others while it waits for one that doesn't read", async (t) => {
    const { socket, port, close } = await connectTo(start);
    t.after(close);
    await sendUntilStuck(socket);
    const response = await fetch(`http://localhost:${port}/other`);
    assert.equal(response.status, 200);
    await response.text();
  });

  it("answers all of a client that reads late, in order", async (t) => {
    const { socket, close } = await connectTo(start);
    t.after(close);
    for (let number = 0; number < MANY; number++) {
      socket.write(requestOf(number));
    }
    await delay(200);
    const targets = await readTargets(socket, MANY);
    const expected = Array.from({ length: MANY }, (_, i) => `/${i}`);
    assert.deepEqual(targets, expected);
  });

  it("hangs up on a client that reads nothing for too long", async (t) => {
    const limits = { sendTimeout: 150 };
    const { socket, close } = await connectTo(start, limits);
    t.after(close);
    const hungUp = happens(socket, "close").then(() => true);
    await sendUntilStuck(socket);
    const patience = delay(10_000, false, { ref: false });
    assert.ok(await Promise.race([hungUp, patience]), "it is still there");
  });

  for (const connection of ["keep-alive", "close"]) {
    const what = `a large answer, and drips (connection: ${connection})`;
    it(`hangs up on a client that doesn't read ${what}`, async (t) => {
      const { socket, close } = await connectTo(startLarge, IMPATIENT);
      t.after(close);
      const hungUp = happens(socket, "close").then(() => true);
      socket.write(
        `GET / HTTP/1.1\r\nHost: a\r\nConnection: ${connection}\r\n\r\n`,
      );
      const drip = setInterval(() => socket.write("G"), 30);
      t.after(() => clearInterval(drip));
      const patience = delay(5000, false, { ref: false });
      assert.ok(await Promise.race([hungUp, patience]), "still there");
    });
  }

  it("counts bytes, and no characters, for the time of an answer", async (t) => {
    const wide = { ...large, body: "€".repeat(MORE_THAN_BUFFERS / 3) };
    const startWide = startServer((options) =>
      createServer(() => wide, options),
    );
    const { socket, close } = await connectTo(startWide, IMPATIENT);
    t.after(close);
    const hungUp = happens(socket, "close").then(() => true);
    const before = performance.now();
    socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    const drip = setInterval(() => socket.write("G"), 30);
    t.after(() => clearInterval(drip));
    const patience = delay(10_000, false, { ref: false });
    assert.ok(await Promise.race([hungUp, patience]), "still there");
    const took = performance.now() - before;
    // For a third as many characters it would be a third of the time.
    const due = IMPATIENT.sendTimeout * (MORE_THAN_BUFFERS / 1024 ** 2);
    assert.ok(took > 0.9 * due, `only ${took} ms of ${due}`);
  });

  it("lets a client that reads slowly have all of a large answer", async (t) => {
    const { socket, close } = await connectTo(startLarge, PATIENT);
    t.after(close);
    socket.write("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    let length = 0;
    for await (const bytes of socket) {
      length += bytes.length;
      await delay(3);
    }
    assert.ok(length > MORE_THAN_BUFFERS, `it got ${length} bytes`);
  });
}

/**
 * A connection from which nothing is read yet.
 *
 * @param {Start} start
 * @param {import("./cases/building-blocks.js").Limits} [limits]
 */
export async function connectTo(start, limits = {}) {
  const server = await start({ limits });
  const socket = connect({ port: server.port, host: "localhost" });
  // A server that has had enough may reset the connection.
  socket.on("error", () => {});
  await once(socket, "connect");
  const close = async () => {
    socket.destroy();
    await server.close();
  };
  return { socket, port: server.port, close };
}

/**
 * As once() of node:events, but an error is none here.
 *
 * @param {import("node:net").Socket} socket
 * @param {string} event
 */
function happens(socket, event) {
  return new Promise((resolve) => socket.once(event, resolve));
}

/**
 * Sends requests until the server takes no more of them for a while.
 *
 * @param {import("node:net").Socket} socket
 * @returns {Promise<number>} bytes that the server took
 */
export async function sendUntilStuck(socket) {
  const requests = requestOf(0).repeat(16);
  let sent = 0;
  while (sent < MORE_THAN_BUFFERS && socket.writable) {
    sent += requests.length;
    if (socket.write(requests)) continue;
    const isStuck = await Promise.race([
      happens(socket, "drain").then(() => false),
      happens(socket, "close").then(() => true),
      delay(500, true),
    ]);
    if (isStuck) break;
  }
  return sent;
}

/**
 * @param {import("node:net").Socket} socket
 * @param {number} count
 * @returns {Promise<string[]>} the targets that were answered
 */
export async function readTargets(socket, count) {
  const reader = new ResponseReader();
  for await (const bytes of socket) {
    reader.push(bytes);
    if (reader.error) throw reader.error;
    if (reader.responses.length >= count) break;
  }
  return reader.responses.map(({ body }) => JSON.parse(`${body}`).target);
}

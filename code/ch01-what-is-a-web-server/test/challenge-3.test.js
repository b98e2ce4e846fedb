import assert from "node:assert/strict";
import { on, once } from "node:events";
import { createServer } from "node:net";
import { after, before, describe, it } from "node:test";
import { Program } from "../../contracts/program.js";
import { Visitor } from "../../contracts/visitor.js";

const skip = process.env.CHALLENGE !== "3" && "challenge 3";

/** Every byte there is. */
const ALL_BYTES = Buffer.from(Array.from({ length: 256 }, (_, i) => i));

describe("Challenges", { skip, timeout: 30_000 }, () => {
  const target = createServer((socket) => {
    // Some of the tests break it.
    socket.on("error", () => {});
  });
  /** @type {Program} */
  let tap;
  before(async () => {
    tap = await startTap(await listen(target));
  });
  after(async () => {
    await tap?.close();
    target.close();
  });

  it("passes bytes on in both directions unchanged", async () => {
    const { visitor, socket } = await connectThrough();
    socket.write(ALL_BYTES);
    await visitor.send(ALL_BYTES);
    assert.deepEqual(await read(socket, 256), ALL_BYTES);
    socket.end();
    await visitor.end();
    assert.deepEqual(visitor.bytes, ALL_BYTES);
  });

  it("prints what the client says after a >", async () => {
    const { visitor, socket } = await connectThrough();
    await visitor.send("GET /client HTTP/1.1\r\n\r\n");
    await read(socket, 24);
    const said = await saidUntil(">", /client/);
    assert.match(said, /GET \/client HTTP\/1\.1\r\n\r\n$/);
    visitor.leave();
  });

  it("prints what the server says after a <", async () => {
    const { visitor, socket } = await connectThrough();
    socket.end("HTTP/1.1 200 OK\r\n\r\nfrom the server\n");
    await visitor.end();
    const said = await saidUntil("<", /server/);
    assert.match(said, /HTTP\/1\.1 200 OK\r\n\r\nfrom the server\n$/);
  });

  it("closes the server's side when the client closes", async () => {
    const { visitor, socket } = await connectThrough();
    visitor.halfClose();
    await endOf(socket);
    visitor.leave();
  });

  it("closes the client's side when the server closes", async () => {
    const { visitor, socket } = await connectThrough();
    socket.end();
    await visitor.end();
  });

  it("closes the server's side when the client breaks off", async () => {
    const { visitor, socket } = await connectThrough();
    visitor.reset();
    await endOf(socket);
  });

  it("closes the client's side when the server breaks off", async () => {
    const { visitor, socket } = await connectThrough();
    socket.resetAndDestroy();
    await visitor.end();
  });

  it("closes when nobody listens at the target, and lives on", async () => {
    const nobody = createServer();
    const port = await listen(nobody);
    nobody.close();
    const lonely = await startTap(port);
    for (const visit of [1, 2]) {
      const visitor = await Visitor.connect(lonely);
      await visitor.end();
      assert.equal(visitor.bytes.length, 0, `visit ${visit}`);
    }
    await lonely.close();
  });

  /** A client of the tap, and the server's end of the tap's own connection. */
  async function connectThrough() {
    const accepted = once(target, "connection");
    const visitor = await Visitor.connect(tap);
    const [socket] = await accepted;
    return { visitor, socket };
  }

  /**
   * @param {string} sign of the side
   * @param {RegExp} pattern
   * @returns {Promise<string>} all that the side has said, as it was printed
   */
  async function saidUntil(sign, pattern) {
    const saidIn = (/** @type {string[]} */ lines) =>
      lines
        .filter((line) => line.startsWith(sign))
        .map((line) => unquote(line.slice(sign.length)))
        .join("");
    const lines = await tap.linesUntil((all) => pattern.test(saidIn(all)));
    return saidIn(lines);
  }
});

/** @param {number} target the port to listen in on */
function startTap(target) {
  const folder = new URL("..", import.meta.url);
  return Program.start(folder, "wiretap.js", { TARGET: String(target) });
}

/**
 * @param {import("node:net").Server} server
 * @returns {Promise<number>} its port
 */
async function listen(server) {
  server.listen(0);
  await once(server, "listening");
  return /** @type {import("node:net").AddressInfo} */ (server.address())
    .port;
}

/**
 * @param {import("node:net").Socket} socket
 * @param {number} count of bytes
 */
async function read(socket, count) {
  let bytes = Buffer.alloc(0);
  for await (const [chunk] of on(socket, "data")) {
    bytes = Buffer.concat([bytes, chunk]);
    if (bytes.length >= count) return bytes;
  }
}

/** @param {import("node:net").Socket} socket */
function endOf(socket) {
  return new Promise((resolve) => {
    socket.once("end", resolve);
    socket.once("close", resolve);
    socket.resume();
  });
}

/** @param {string} text what JSON.stringify has made, or anything else */
function unquote(text) {
  try {
    return JSON.parse(text);
  } catch {
    return "";
  }
}

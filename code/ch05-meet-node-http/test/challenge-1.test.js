import assert from "node:assert/strict";
import { connect } from "node:net";
import { after, before, describe, it } from "node:test";
import { ResponseReader } from "../../contracts/http/response-reader.js";
import { Program } from "../../contracts/program.js";
import { Visitor } from "../../contracts/visitor.js";

const skip = process.env.CHALLENGE !== "1" && "challenge 1";

const MEBIBYTE = 1024 * 1024;
const FULL = Buffer.alloc(MEBIBYTE, "a");

describe("Challenges", { skip, timeout: 60_000 }, () => {
  /** @type {Program} */
  let server;
  before(async () => {
    server = await Program.start(new URL("..", import.meta.url));
  });
  after(() => server?.close());

  it("answers a body of a mebibyte by length", async () => {
    const visitor = await Visitor.connect(server);
    await visitor.send(head(`Content-Length: ${MEBIBYTE}`));
    await visitor.send(FULL);
    const { status, body } = await visitor.response();
    assert.equal(status, 200);
    assert.equal(JSON.parse(body.toString()).body.length, MEBIBYTE);
    visitor.leave();
  });

  it("answers a body of a mebibyte in chunks", async () => {
    const visitor = await Visitor.connect(server);
    await visitor.send(head("Transfer-Encoding: chunked"));
    await visitor.send(chunk(FULL));
    await visitor.send("0\r\n\r\n");
    const { status, body } = await visitor.response();
    assert.equal(status, 200);
    assert.equal(JSON.parse(body.toString()).body.length, MEBIBYTE);
    visitor.leave();
  });

  it("answers 413 before a body that is announced too long", async () => {
    const visitor = await Visitor.connect(server);
    await visitor.send(head(`Content-Length: ${MEBIBYTE + 1}`));
    const { status } = await visitor.response();
    assert.equal(status, 413);
    await visitor.end();
  });

  it("answers 413 when the byte too many comes in a chunk", async () => {
    const visitor = await Visitor.connect(server);
    await visitor.send(head("Transfer-Encoding: chunked"));
    await visitor.send(chunk(FULL));
    await visitor.send(chunk(Buffer.from("a")));
    const { status } = await visitor.response();
    assert.equal(status, 413);
    await visitor.end();
  });

  it("is heard by a client that sends on, by length", async () => {
    const length = 8 * MEBIBYTE;
    const bytes = [head(`Content-Length: ${length}`)];
    for (let sent = 0; sent < length; sent += MEBIBYTE) bytes.push(FULL);
    const { status } = await sendAllThenRead(server.port, bytes);
    assert.equal(status, 413);
  });

  it("is heard by a client that sends on, in chunks", async () => {
    const bytes = [head("Transfer-Encoding: chunked")];
    for (let sent = 0; sent < 8; sent++) bytes.push(chunk(FULL));
    bytes.push(Buffer.from("0\r\n\r\n"));
    const { status } = await sendAllThenRead(server.port, bytes);
    assert.equal(status, 413);
  });

  it("goes on serving others", async () => {
    const visitor = await Visitor.connect(server);
    await visitor.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    const { status } = await visitor.response();
    assert.equal(status, 200);
    visitor.leave();
  });
});

/** @param {string} framing a field line */
function head(framing) {
  return Buffer.from(`POST / HTTP/1.1\r\nHost: x\r\n${framing}\r\n\r\n`);
}

/** @param {Buffer} data */
function chunk(data) {
  const size = Buffer.from(`${data.length.toString(16)}\r\n`);
  return Buffer.concat([size, data, Buffer.from("\r\n")]);
}

/**
 * A client that looks for its answer only when it has sent everything.
 *
 * @param {number} port
 * @param {Buffer[]} bytes
 * @throws {Error} when the server hangs up before it could look
 */
async function sendAllThenRead(port, bytes) {
  const socket = connect(port);
  socket.on("error", () => {});
  const reader = new ResponseReader();
  try {
    await new Promise((resolve, reject) => {
      socket.write(Buffer.concat(bytes), (err) =>
        err ? reject(err) : resolve(undefined),
      );
    });
    for await (const piece of socket) {
      reader.push(piece);
      if (reader.error) throw reader.error;
      if (reader.responses.length > 0) return reader.responses[0];
    }
    throw new Error("the server closed the connection before it answered");
  } catch (err) {
    if (err.code === undefined) throw err;
    throw new Error(`the server hung up on who was sending: ${err.code}`);
  } finally {
    socket.destroy();
  }
}

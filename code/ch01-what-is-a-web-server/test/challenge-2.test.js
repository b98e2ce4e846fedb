import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Program } from "../../contracts/program.js";
import { Visitor } from "../../contracts/visitor.js";

const skip = process.env.CHALLENGE !== "2" && "challenge 2";

describe("Challenges", { skip, concurrency: true }, () => {
  it("prints the bytes of a request in a row of sixteen", async (t) => {
    const server = await start(t);
    await sendAll(server, "GET / HTTP/1.1\r\n");
    assert.deepEqual(await rowsUntil(server, 16), [
      "00000000 47 45 54 20 2f 20 48 54 54 50 2f 31 2e 31 0d 0a |GET / HTTP/1.1..|",
    ]);
  });

  it("pads the last row, so that the bars stand in line", async (t) => {
    const server = await start(t);
    await sendAll(server, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    assert.deepEqual(await rowsUntil(server, 27), [
      "00000000 47 45 54 20 2f 20 48 54 54 50 2f 31 2e 31 0d 0a |GET / HTTP/1.1..|",
      "00000010 48 6f 73 74 3a 20 78 0d 0a 0d 0a                |Host: x....     |",
    ]);
  });

  it("has a point for each byte that is no printable ASCII", async (t) => {
    const server = await start(t);
    await sendAll(server, "\x00\x1f \x7e\x7f\x80\xc3\xab\xff|\t");
    assert.deepEqual(await rowsUntil(server, 11), [
      "00000000 00 1f 20 7e 7f 80 c3 ab ff 7c 09                |.. ~.....|.     |",
    ]);
  });

  it("goes on counting when a request comes in pieces", async (t) => {
    const server = await start(t);
    const sent = "POST / HTTP/1.1\r\nHost: x\r\n\r\nHello";
    const visitor = await Visitor.connect(server);
    await visitor.sendByteByByte(sent);
    visitor.halfClose();
    const rows = await rowsUntil(server, sent.length);
    let offset = 0;
    for (const row of rows) {
      assert.equal(row.slice(0, 8), offset.toString(16).padStart(8, "0"));
      offset += bytesOf(row).length;
    }
    const dumped = Buffer.concat(rows.map(bytesOf)).toString("latin1");
    assert.equal(dumped, sent);
  });

  it("begins at zero for each connection", async (t) => {
    const server = await start(t);
    await sendAll(server, "one");
    await rowsUntil(server, 3);
    await sendAll(server, "two");
    const rows = await rowsUntil(server, 6);
    assert.deepEqual(
      rows.map((row) => row.slice(0, 8)),
      ["00000000", "00000000"],
    );
  });

  it("answers nothing, and closes once the client does", async (t) => {
    const server = await start(t);
    const { bytes, ending } = await sendAll(
      server,
      "GET / HTTP/1.1\r\n\r\n",
    );
    assert.equal(bytes.toString(), "");
    assert.equal(ending, "closed");
  });
});

/** @param {import("node:test").TestContext} t */
async function start(t) {
  const folder = new URL("..", import.meta.url);
  const server = await Program.start(folder, "hexdump.js");
  t.after(() => server.close());
  return server;
}

/**
 * Sends bytes, closes its side, and waits for the server to close.
 *
 * @param {Program} server
 * @param {string} bytes one character each
 */
async function sendAll(server, bytes) {
  const visitor = await Visitor.connect(server);
  await visitor.send(bytes);
  visitor.halfClose();
  await visitor.end();
  return visitor;
}

/**
 * @param {Program} server
 * @param {number} count rows of at least so many bytes together
 */
function rowsUntil(server, count) {
  return server.linesUntil(
    (rows) => Buffer.concat(rows.map(bytesOf)).length >= count,
  );
}

/** @param {string} row */
function bytesOf(row) {
  const [hex] = row.slice(9).split("|");
  return Buffer.from(hex.replaceAll(" ", ""), "hex");
}

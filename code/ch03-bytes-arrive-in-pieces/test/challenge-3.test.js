import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { Program } from "../../contracts/program.js";
import { ask, Visitor } from "../../contracts/visitor.js";

const skip = process.env.CHALLENGE !== "3" && "challenge 3";

describe("Challenges", { skip }, () => {
  /** @type {Program} */
  let server;
  before(async () => {
    server = await Program.start(new URL("..", import.meta.url));
  });
  after(() => server?.close());

  it("answers HTTP/1.1 in chunks, without a length", async () => {
    const { fields, body } = await ask(server, get("/greet"));
    assert.equal(fields.get("transfer-encoding")?.join(), "chunked");
    assert.equal(fields.get("content-length"), undefined);
    assert.equal(JSON.parse(body.toString()).target, "/greet");
  });

  for (const name of ["Ada", "Zoë", "naïve café ☕"]) {
    it(`sends sixteen bytes a chunk, also for ${name}`, async () => {
      const body = Buffer.from(name);
      const head =
        "POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n" +
        `Content-Length: ${body.length}\r\n\r\n`;
      const bytes = await all(Buffer.concat([Buffer.from(head), body]));
      const chunks = chunksOf(bytes);
      const sizes = chunks.map(({ length }) => length);
      const last = sizes.pop() ?? 0;
      assert.deepEqual(sizes, new Array(sizes.length).fill(16));
      assert.ok(last > 0 && last <= 16, `the last has ${last} bytes`);
      const text = Buffer.concat(chunks).toString();
      assert.equal(JSON.parse(text).body, name);
    });
  }

  it("answers the next request on the connection", async () => {
    const visitor = await Visitor.connect(server);
    await visitor.send(get("/one") + get("/two"));
    await visitor.response(2);
    const targets = visitor.responses.map(
      ({ body }) => JSON.parse(body.toString()).target,
    );
    assert.deepEqual(targets, ["/one", "/two"]);
    visitor.leave();
  });

  it("answers HTTP/1.0 with a length, and without chunks", async () => {
    const { fields, body } = await ask(server, "GET / HTTP/1.0\r\n\r\n");
    assert.equal(fields.get("transfer-encoding"), undefined);
    assert.equal(fields.get("content-length")?.join(), `${body.length}`);
    assert.equal(JSON.parse(body.toString()).version, "1.0");
  });

  it("answers HEAD with the fields of GET, and no chunks", async () => {
    const bytes = await all(
      "HEAD / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    );
    const [head, rest] = bytes.toString("latin1").split("\r\n\r\n");
    assert.match(head, /^transfer-encoding: *chunked$/im);
    assert.doesNotMatch(head, /^content-length:/im);
    assert.equal(rest, "");
  });

  it("answers HEAD with HTTP/1.0 with the length alone", async () => {
    const bytes = await all("HEAD / HTTP/1.0\r\n\r\n");
    const [head, rest] = bytes.toString("latin1").split("\r\n\r\n");
    assert.match(head, /^content-length: *\d+$/im);
    assert.doesNotMatch(head, /^transfer-encoding:/im);
    assert.equal(rest, "");
  });

  /**
   * Sends a request, and takes what comes until the server closes.
   *
   * @param {string | Uint8Array} request
   */
  async function all(request) {
    const visitor = await Visitor.connect(server);
    await visitor.send(request);
    await visitor.end();
    return visitor.bytes;
  }
});

/** @param {string} target */
function get(target) {
  return `GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`;
}

/**
 * @param {Buffer} response
 * @returns {Buffer[]} the data of its chunks, but for the last, empty one
 */
function chunksOf(response) {
  const chunks = [];
  let at = response.indexOf("\r\n\r\n") + 4;
  for (;;) {
    const lineEnd = response.indexOf("\r\n", at);
    const line = response.toString("latin1", at, Math.max(lineEnd, at));
    assert.match(line, /^[\da-f]+$/i, "a chunk begins with its size");
    const size = Number.parseInt(line, 16);
    const end = lineEnd + 2 + size;
    assert.equal(response.toString("latin1", end, end + 2), "\r\n");
    if (size === 0) return chunks;
    chunks.push(response.subarray(lineEnd + 2, end));
    at = end + 2;
  }
}

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, describe, it } from "node:test";
import { startServer } from "../../contracts/http/index.js";
import { Program } from "../../contracts/program.js";
import { ask } from "../../contracts/visitor.js";

const skip = process.env.CHALLENGE !== "2" && "challenge 2";

const HOSTS = [
  "localhost:3000",
  "example.com",
  "xn--bcher-kva.example",
  "127.0.0.1:80",
  "[::1]:3000",
];
const NO_HOSTS = [
  "a b",
  "a/b",
  "a, b",
  "user@a",
  "a:http",
  "http://a",
  "a?b",
  "a%zz",
  "[:::::]",
];

describe("Challenges", { skip, timeout: 60_000 }, () => {
  /** @type {Program} */
  let server;
  before(async () => {
    server = await Program.start(new URL("..", import.meta.url));
  });
  after(() => server?.close());

  for (const host of HOSTS) {
    it(`serves a request for ${host}`, async () => {
      const { status, body } = await ask(server, get(`Host: ${host}`));
      assert.equal(status, 200);
      assert.equal(JSON.parse(body.toString()).fields.host, host);
    });
  }

  for (const host of NO_HOSTS) {
    it(`refuses one for \`${host}\``, async () => {
      const { status } = await ask(server, get(`Host: ${host}`));
      assert.equal(status, 400);
    });
  }

  it("refuses one with two hosts, the same or not", async () => {
    for (const host of ["a", "b"]) {
      const request = get("Host: a", `Host: ${host}`);
      const { status } = await ask(server, request);
      assert.equal(status, 400);
    }
  });

  it("refuses one with two hosts, however they are written", async () => {
    const { status } = await ask(server, get("HOST: a", "X: y", "host: b"));
    assert.equal(status, 400);
  });

  it("serves HTTP/1.0 without a host", async () => {
    const { status } = await ask(server, "GET / HTTP/1.0\r\n\r\n");
    assert.equal(status, 200);
  });

  it("can stand before any handler, and lets it answer", async (t) => {
    const { address } = await startStrict(t);
    const request =
      "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nAda";
    const { status, body } = await ask(address, request);
    assert.equal(status, 201);
    assert.equal(body.toString(), "Ada to /a");
  });

  it("doesn't call the handler for what it refuses", async (t) => {
    const { address, targets } = await startStrict(t);
    await ask(address, get("Host: a", "Host: b"));
    await ask(address, get("Host: a b"));
    assert.deepEqual(targets, []);
  });
});

/** @param {string[]} fields */
function get(...fields) {
  return ["GET / HTTP/1.1", ...fields, "", ""].join("\r\n");
}

/**
 * Starts a server with another handler, one that echoes.
 *
 * @param {import("node:test").TestContext} t
 */
async function startStrict(t) {
  const file = "../strict.js";
  const { strict } = await import(file);
  /** What the handler has been called for. @type {string[]} */
  const targets = [];
  const handler = strict(async (req, res) => {
    targets.push(req.url);
    res.writeHead(201);
    for await (const piece of req) res.write(piece);
    res.end(` to ${req.url}`);
  });
  const address = await startServer(() => createServer(handler))({
    limits: {},
  });
  t.after(() => address.close());
  return { address, targets };
}

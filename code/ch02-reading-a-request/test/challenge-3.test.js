import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Program } from "../../contracts/program.js";
import { ask, Visitor } from "../../contracts/visitor.js";

const skip = process.env.CHALLENGE !== "3" && "challenge 3";

/** address - - [time] "request line" status bytes */
const LOG_LINE =
  /^(\S+) - - \[([^\]]+)\] (-|"(?:[^"\\]|\\.)*") (\d{3}) (\d+|-)$/;
const TIME = /^(\d\d)\/(\w{3})\/(\d{4}):(\d\d:\d\d:\d\d) ([+-]\d\d)(\d\d)$/;

describe("Challenges", { skip, concurrency: true }, () => {
  it("writes a line for an answer", async (t) => {
    const server = await start(t);
    const { status, body } = await ask(server, get("/greet?name=Ada"));
    const [line] = await logUntil(server, 1);
    assert.equal(line.requestLine, '"GET /greet?name=Ada HTTP/1.1"');
    assert.equal(line.statusCode, String(status));
    assert.equal(line.length, String(body.length));
  });

  it("names the client's address", async (t) => {
    const server = await start(t);
    await ask(server, get("/"));
    const [{ address }] = await logUntil(server, 1);
    assert.match(address, /^(::1|(::ffff:)?127\.0\.0\.1)$/);
  });

  it("says when it was, in some time zone", async (t) => {
    const server = await start(t);
    await ask(server, get("/"));
    const [{ time }] = await logUntil(server, 1);
    const match = TIME.exec(time);
    assert.ok(match, `${time} is like 20/Nov/2026:09:41:33 +0000`);
    const [, day, month, year, clock, hours, minutes] = match;
    const zone = `GMT${hours}${minutes}`;
    const at = Date.parse(`${day} ${month} ${year} ${clock} ${zone}`);
    const error = Math.abs(Date.now() - at) / 1000;
    assert.ok(error < 60, `[${time}] is ${error} seconds off`);
  });

  it("counts the bytes of the body, and not its characters", async (t) => {
    const server = await start(t);
    const body = Buffer.from("Zoë");
    const head = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\n";
    const answer = await ask(
      server,
      Buffer.concat([Buffer.from(head), body]),
    );
    const [{ length }] = await logUntil(server, 1);
    assert.equal(length, String(answer.body.length));
  });

  it("writes a line for each answer on a connection", async (t) => {
    const server = await start(t);
    const visitor = await Visitor.connect(server);
    await visitor.send(get("/one"));
    await visitor.response(1);
    await visitor.send(get("/two"));
    await visitor.response(2);
    visitor.leave();
    const lines = await logUntil(server, 2);
    assert.deepEqual(
      lines.map(({ requestLine }) => requestLine),
      ['"GET /one HTTP/1.1"', '"GET /two HTTP/1.1"'],
    );
  });

  it("has a hyphen for a request line that can't be read", async (t) => {
    const server = await start(t);
    const { body } = await ask(server, "pizza\r\n\r\n");
    const [line] = await logUntil(server, 1);
    assert.match(line.requestLine, /^"?-"?$/);
    assert.equal(line.statusCode, "400");
    assert.equal(line.length, String(body.length));
  });

  it("writes a line for a request with a field that is refused", async (t) => {
    const server = await start(t);
    await ask(server, "GET / HTTP/1.1\r\nHost : x\r\n\r\n");
    const [line] = await logUntil(server, 1);
    assert.equal(line.statusCode, "400");
  });

  it("keeps a quotation mark from ending the quotes", async (t) => {
    const server = await start(t);
    await ask(server, get('/"'));
    const [{ requestLine }] = await logUntil(server, 1);
    assert.match(requestLine, /^"GET \/[^ ]+ HTTP\/1\.1"$/);
  });

  it("writes one line for a request line with a line feed in it", async (t) => {
    const server = await start(t);
    await ask(server, get("/\n::1 - - [now] fake"));
    await ask(server, get("/last"));
    const lines = await logUntil(server, 2);
    assert.equal(lines[0].statusCode, "400");
    assert.equal(lines[1].requestLine, '"GET /last HTTP/1.1"');
  });
});

/** @param {import("node:test").TestContext} t */
async function start(t) {
  const folder = new URL("..", import.meta.url);
  // A time zone that shows whether time and zone belong together.
  const env = { TZ: "Asia/Kolkata" };
  const server = await Program.start(folder, "server.js", env);
  t.after(() => server.close());
  return server;
}

/**
 * @param {Program} server
 * @param {number} count
 */
async function logUntil(server, count) {
  const lines = await server.linesUntil(({ length }) => length >= count);
  return lines.map((line) => {
    const match = LOG_LINE.exec(line);
    assert.ok(match, `this is not the Common Log Format: ${line}`);
    const [, address, time, requestLine, statusCode, length] = match;
    return { address, time, requestLine, statusCode, length };
  });
}

/** @param {string} target */
function get(target) {
  return `GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`;
}

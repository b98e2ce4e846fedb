import assert from "node:assert/strict";
import { once } from "node:events";
import net from "node:net";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import {
  Kept,
  testRequestLines,
  testTraces,
} from "../../contracts/log/index.js";
import { ask, listen } from "../../contracts/router/ask.js";
import * as velocy from "../index.js";
import {
  createLogger,
  createServer,
  log,
  Router,
  requestLog,
} from "../index.js";
import { Trace } from "../lib/log/trace.js";

/** @import { TestContext } from "node:test" */

/** @param {Router} router */
function addRoutes(router) {
  router.get("/hello/:name", (req) => `hello, ${req.params.name}`);
  router.get("/never", () => sleep(60_000, "late", { ref: false }));
  router.get("/ticks", async function* ticks() {
    yield "tick";
    await sleep(60_000, "late", { ref: false });
  });
  router.get("/large", () => Buffer.alloc(20_000_000));
  router.get("/traceparent", (req) => req.trace?.traceparent);
}

/**
 * @param {TestContext} t
 * @param {object} [options]
 * @param {(router: Router) => void} [add]
 */
async function start(t, options, add = addRoutes) {
  const stream = new Kept();
  const router = new Router();
  router.use(log({ destination: stream, ...options }));
  add(router);
  const server = createServer(router, { onError: () => {} });
  const port = await listen(t, server);
  /** @param {number} [count] */
  const lines = async (count = 1) => {
    for (let i = 0; i < 300 && stream.lines.length < count; i += 1) {
      await sleep(10);
    }
    assert.equal(stream.lines.length, count, stream.text);
    return stream.lines;
  };
  return { port, lines, stream };
}

/** Sends a request and leaves when its answer has begun.
 * @param {number} port @param {string} path */
async function leave(port, path, waitFor = "data") {
  const socket = net.connect(port, "127.0.0.1");
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
  await (waitFor === "data" ? once(socket, "data") : sleep(100));
  socket.destroy();
}

describe("A line for each request", () => {
  testRequestLines(velocy);

  it("tells what was asked and answered", async (t) => {
    const { port, lines } = await start(t);
    const headers = { "user-agent": "a test" };
    await ask(port, "GET", "/hello/%41nna?token=swordfish", { headers });
    const [
      { time, request_id, first_byte_ms, last_byte_ms, bytes, ...rest },
    ] = await lines();
    assert.deepEqual(rest, {
      level: "info",
      message: "request",
      method: "GET",
      path: "/hello/Anna",
      query: "[redacted]",
      route: "/hello/:name",
      remote_address: "127.0.0.1",
      user_agent: "a test",
      status: 200,
      ended: "finished",
    });
    assert.ok(
      first_byte_ms >= 0 && first_byte_ms <= last_byte_ms,
      `${first_byte_ms}, ${last_byte_ms}`,
    );
    assert.ok(bytes > 100 && bytes < 300, String(bytes));
    assert.match(request_id, /^[\w-]{1,64}$/);
    assert.match(time, /Z$/);
  });

  it("knows a client that has left before there was an answer", async (t) => {
    const { port, lines } = await start(t);
    await leave(port, "/never", "nothing");
    const [line] = await lines();
    assert.equal(line.ended, "client left");
    assert.equal(line.level, "warn");
    assert.equal(line.status, undefined);
    assert.equal(line.first_byte_ms, undefined);
    assert.equal(line.bytes, 0);
    assert.equal(line.remote_address, "127.0.0.1");
  });

  for (const path of ["/ticks", "/large"]) {
    it(`knows a client that has left amid ${path}`, async (t) => {
      const { port, lines } = await start(t);
      await leave(port, path);
      const [line] = await lines();
      assert.equal(line.ended, "client left");
      assert.equal(line.status, 200);
    });
  }

  it("measures until the first byte and until the last", async (t) => {
    const add = (/** @type {Router} */ router) =>
      router.get("/", async function* slow() {
        await sleep(100);
        yield "a";
        await sleep(200);
        yield "b";
      });
    const { port, lines } = await start(t, {}, add);
    await ask(port, "GET", "/");
    const [{ first_byte_ms, last_byte_ms }] = await lines();
    assert.ok(first_byte_ms >= 95 && first_byte_ms < 290, first_byte_ms);
    assert.ok(last_byte_ms >= 290, last_byte_ms);
  });

  it("counts each answer's bytes in a pipeline", async (t) => {
    const add = (/** @type {Router} */ router) => {
      router.get("/1", () => sleep(50, "x".repeat(1000)));
      router.get("/2", () => "x".repeat(2000));
      router.get("/3", () => sleep(20, "x".repeat(3000)));
    };
    const { port, lines } = await start(t, {}, add);
    const socket = net.connect(port, "127.0.0.1");
    const request = (/** @type {number} */ n) =>
      `GET /${n} HTTP/1.1\r\nHost: x\r\n\r\n`;
    socket.write(request(1) + request(2) + request(3));
    let received = 0;
    socket.on("data", (chunk) => {
      received += chunk.length;
    });
    const all = await lines(3);
    socket.destroy();
    const bytes = Object.fromEntries(
      all.map((line) => [line.path, line.bytes]),
    );
    assert.equal(bytes["/1"] + bytes["/2"] + bytes["/3"], received);
    assert.equal(bytes["/2"] - bytes["/1"], 1000);
    assert.equal(bytes["/3"] - bytes["/2"], 1000);
  });

  it("writes a line for each log() that a request passes", async (t) => {
    const inner = new Kept();
    const { port, lines } = await start(t, {}, (router) => {
      router.use(log({ destination: inner }));
      router.get("/cut", async function* cut() {
        yield "half";
        await sleep(20);
        throw new Error("no");
      });
    });
    await assert.rejects(ask(port, "GET", "/cut"));
    const [outerLine] = await lines();
    for (let i = 0; i < 100 && inner.text === ""; i += 1) await sleep(10);
    const [innerLine, ...others] = inner.lines;
    assert.deepEqual(others, []);
    assert.notEqual(outerLine.request_id, innerLine.request_id);
    for (const line of [outerLine, innerLine]) {
      const { first_byte_ms, last_byte_ms } = line;
      assert.equal(line.ended, "cut");
      assert.ok(first_byte_ms >= 0, String(first_byte_ms));
      assert.ok(first_byte_ms <= last_byte_ms, String(first_byte_ms));
    }
  });

  it("writes one line, whatever the client sends", async (t) => {
    const { port, lines } = await start(t);
    const headers = { "user-agent": `\u00e9"\\${"x".repeat(2000)}` };
    await ask(port, "GET", "/hello/%22%7B%7D%C3%A9", { headers });
    const [line] = await lines();
    assert.equal(line.path, '/hello/"{}é');
    assert.ok(line.user_agent.length < 300, "the user agent is cut");
  });

  it("does without user-agent, and hangs where it is told", async (t) => {
    const stream = new Kept();
    const router = new Router();
    router.use("/admin", log({ destination: stream }));
    router.get("/admin", () => "a").get("/", () => "b");
    const port = await listen(t, createServer(router));
    await ask(port, "GET", "/");
    await ask(port, "GET", "/admin");
    for (let i = 0; i < 100 && stream.text === ""; i += 1) await sleep(10);
    assert.deepEqual(
      stream.lines.map(({ path }) => path),
      ["/admin"],
    );
  });
});

describe("Whose line is it?", () => {
  it("gives the lines of a request its id", async (t) => {
    const add = (/** @type {Router} */ router) =>
      router.get("/", (req) => {
        req.log?.info("inside", { a: 1 });
        return req.id;
      });
    const { port, lines } = await start(t, {}, add);
    const ids = [];
    for (let i = 0; i < 3; i += 1)
      ids.push((await ask(port, "GET", "/")).body);
    assert.equal(new Set(ids).size, 3);
    const all = await lines(6);
    assert.deepEqual(
      all.map(({ request_id }) => request_id),
      ids.flatMap((id) => [id, id]),
    );
  });

  for (const [id, isTaken] of /** @type {[string, boolean][]} */ ([
    ["abc-DEF_123", true],
    ["x".repeat(64), true],
    ["x".repeat(65), false],
    ["", false],
    ["a b", false],
    ['a"b', false],
    ["a/../b", false],
    ["\u00e9", false],
  ])) {
    it(`${isTaken ? "takes" : "refuses"} the id ${JSON.stringify(id.slice(0, 20))} of ${id.length}`, async (t) => {
      const headers = { "x-request-id": id };
      const add = (/** @type {Router} */ router) =>
        router.get("/", (req) => req.id);
      const trusting = await start(t, { trustId: true }, add);
      const { body } = await ask(trusting.port, "GET", "/", { headers });
      assert.equal(body === id, isTaken);
      const other = await start(t, {}, add);
      assert.notEqual(
        (await ask(other.port, "GET", "/", { headers })).body,
        id,
      );
    });
  }

  it("refuses two ids", async (t) => {
    const add = (/** @type {Router} */ router) =>
      router.get("/", (req) => req.id);
    const { port } = await start(t, { trustId: true }, add);
    const headers = { "x-request-id": ["a", "b"] };
    const { body } = await ask(port, "GET", "/", { headers });
    const isTheirs = ["a", "b", "a, b", "a,b"].includes(body);
    assert.ok(!isTheirs, `the id is ${body}`);
  });

  it("finds the request's logger from wherever it is", async (t) => {
    const wait = async () => {
      await sleep(20);
      await new Promise((resolve) => process.nextTick(resolve));
      requestLog().info("deep inside");
    };
    const add = (/** @type {Router} */ router) =>
      router.get("/:n", async (req) => {
        await Promise.all([wait(), wait()]);
        return req.id;
      });
    const { port, lines } = await start(t, {}, add);
    const paths = ["/1", "/2", "/3", "/4"];
    const answers = await Promise.all(
      paths.map((path) => ask(port, "GET", path)),
    );
    const all = await lines(12);
    for (const { body } of answers) {
      const own = all.filter(({ request_id }) => request_id === body);
      assert.equal(own.length, 3);
    }
  });

  it("has a logger outside of all requests", async (t) => {
    const { lines } = await start(t);
    requestLog().info("outside");
    const [line] = await lines();
    assert.equal(line.message, "outside");
    assert.equal(line.request_id, undefined);
  });

  it("takes a logger that is there already", async (t) => {
    const stream = new Kept();
    const logger = createLogger({
      destination: stream,
      fields: { app: "x" },
    });
    const { port } = await start(t, { destination: undefined, logger });
    await ask(port, "GET", "/hello/x");
    await logger.close();
    assert.equal(stream.lines[0].app, "x");
  });

  it("tells options that it doesn't know", () => {
    const logger = createLogger({ destination: new Kept() });
    for (const options of [
      { logger: {} },
      { logger, level: "debug" },
      { trustId: 1 },
      { colour: 1 },
    ]) {
      const make = () => log(/** @type {any} */ (options));
      assert.throws(make, { name: "UsageError" }, JSON.stringify(options));
    }
  });
});

describe("A trace through many servers", () => {
  const TRACE = "0af7651916cd43dd8448eb211c80319c";
  const PARENT = "b7ad6b7169203331";

  testTraces(velocy);

  it("takes no field with something around it", () => {
    const field = `00-${TRACE}-${PARENT}-01`;
    assert.equal(new Trace(field).isUsed, true);
    for (const parent of [` ${field}`, `${field}\n`]) {
      assert.equal(new Trace(parent).isUsed, false);
    }
  });

  it("gives it on, and writes it in every line", async (t) => {
    const { port, lines } = await start(t, {}, (router) =>
      router.get("/", (req) => {
        req.log?.info("inside");
        return req.trace?.traceparent;
      }),
    );
    const headers = { traceparent: `00-${TRACE}-${PARENT}-01` };
    const { body } = await ask(port, "GET", "/", { headers });
    const [, traceId, spanId, flags] = body.split("-");
    assert.deepEqual([traceId, flags], [TRACE, "01"]);
    for (const line of await lines(2)) {
      assert.deepEqual([line.trace_id, line.span_id], [TRACE, spanId]);
    }
  });

  it("begins one for whoever asks", async (t) => {
    const { port, lines } = await start(t);
    const bodies = [];
    for (let i = 0; i < 2; i += 1) {
      bodies.push((await ask(port, "GET", "/traceparent")).body);
    }
    await ask(port, "GET", "/hello/x");
    const [first, second, third] = await lines(3);
    assert.equal(bodies[0].split("-")[1], first.trace_id);
    assert.notEqual(first.trace_id, second.trace_id);
    assert.equal(third.trace_id, undefined);
  });

  it("makes ids that are all different", () => {
    const ids = Array.from({ length: 2000 }, () => new Trace().traceId);
    assert.equal(new Set(ids).size, 2000);
    for (const id of ids) assert.match(id, /^[\da-f]{32}$/);
  });
});

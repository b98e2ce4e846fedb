/**
 * What is sent as it comes.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createReadStream } from "node:fs";
import net from "node:net";
import { Readable } from "node:stream";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { skipInTurn } from "../in-turn.js";
import { field, serve } from "./server.js";

/** @import { Velocy } from "./server.js" */

const BYTES = "application/octet-stream";

async function* generate() {
  yield "one ";
  yield new TextEncoder().encode("two ");
  await new Promise(setImmediate);
  yield "";
  yield "three";
}

/** @type {[what: string, make: () => unknown][]} */
const SOURCES = [
  ["an async generator", generate],
  ["a Node stream", () => Readable.from(generate())],
  ["a web stream", () => webStreamOf(generate())],
  [
    "an object with Symbol.asyncIterator",
    () => ({
      [Symbol.asyncIterator]: generate,
    }),
  ],
];

/** @param {Velocy} velocy */
export function testStreams(velocy) {
  for (const [what, make] of SOURCES) {
    test(`sends ${what}`, async (t) => {
      const { ask, told } = await serve(t, velocy, () => make());
      const answer = await ask();
      assert.deepEqual(told, []);
      assert.equal(answer.statusCode, 200);
      assert.equal(field(answer, "content-type"), BYTES);
      assert.equal(field(answer, "transfer-encoding"), "chunked");
      assert.equal(unchunked(answer.body), "one two three");
    });

    test(`sends ${what} from a promise, with a type`, async (t) => {
      const { ask } = await serve(t, velocy, async (_req, res) => {
        res.status(202).setHeader("content-type", "text/csv");
        return make();
      });
      const answer = await ask("POST");
      assert.equal(answer.statusCode, 202);
      assert.equal(field(answer, "content-type"), "text/csv");
      assert.equal(unchunked(answer.body), "one two three");
    });
  }

  test("sends a stream of nothing", async (t) => {
    const { ask } = await serve(t, velocy, async function* () {});
    const answer = await ask();
    assert.equal(answer.statusCode, 200);
    assert.equal(field(answer, "content-length"), "0");
  });

  test("sends each chunk when it comes", async (t) => {
    let go = () => {};
    const gone = new Promise((resolve) => {
      go = () => resolve(undefined);
    });
    const { port } = await serve(t, velocy, async function* () {
      yield "first";
      await gone;
      yield "second";
    });
    const socket = connect(port);
    const [first] = await once(socket, "data");
    assert.match(first, /5\r\nfirst\r\n$/);
    go();
    const [second] = await once(socket, "data");
    assert.match(second, /^6\r\nsecond\r\n/);
    socket.destroy();
  });

  /** @type {[what: string, make: () => unknown][]} */
  const failing = [
    [
      "a generator that throws",
      // biome-ignore lint/correctness/useYield: it fails before
      async function* () {
        throw new Error("secret");
      },
    ],
    ["a file that isn't there", () => createReadStream("/none/such")],
    [
      "a web stream that errs",
      () =>
        new ReadableStream({
          start: (controller) => controller.error(new Error("secret")),
        }),
    ],
    [
      "a chunk that is no bytes",
      async function* () {
        yield { secret: 1 };
      },
    ],
  ];
  for (const [what, make] of failing) {
    test(`gives 500 for ${what} at once`, async (t) => {
      const { ask, told } = await serve(t, velocy, () => make());
      const answer = await ask();
      assert.equal(answer.statusCode, 500);
      assert.equal(
        field(answer, "content-type"),
        "text/plain; charset=utf-8",
      );
      assert.doesNotMatch(answer.text, /secret/);
      assert.equal(told.length, 1);
    });
  }

  for (const [what, end] of /** @type {[string, () => unknown][]} */ ([
    [
      "throws",
      () => {
        throw new Error("half way");
      },
    ],
    ["gives what is no chunk", () => 7],
  ])) {
    test(`cuts the connection when a source ${what} half way`, async (t) => {
      let hasReturned = false;
      const { ask, told } = await serve(t, velocy, async function* () {
        try {
          yield "half";
          await sleep(10);
          yield end();
        } finally {
          hasReturned = true;
        }
      });
      const answer = await ask();
      assert.equal(answer.statusCode, 200);
      assert.match(answer.body, /^4\r\nhalf\r\n/);
      assert.doesNotMatch(answer.body, /0\r\n\r\n$/);
      assert.equal(told.length, 1);
      assert.equal(hasReturned, true);
    });
  }

  test("holds a length that was set, and checks it", async (t) => {
    const { ask, told } = await serve(t, velocy, (req, res) => {
      res.setHeader("content-length", req.url === "/right" ? 13 : 12);
      return generate();
    });
    const right = await ask("GET", "/right");
    assert.equal(right.body, "one two three");
    assert.equal(field(right, "transfer-encoding"), undefined);
    const wrong = await ask("GET", "/wrong");
    assert.ok(wrong.body.length < 12, wrong.body);
    assert.equal(told[0]?.code, "ERR_HTTP_CONTENT_LENGTH_MISMATCH");
  });

  test("waits for a client that reads slowly", async (t) => {
    let made = 0;
    const size = 64 * 1024;
    const { port } = await serve(t, velocy, async function* () {
      for (; made < 2_000; made += 1) yield Buffer.alloc(size);
    });
    const socket = connect(port);
    socket.pause();
    const before = await settled(() => made);
    assert.ok(
      before < 500,
      `${before} chunks for a client that doesn't read`,
    );
    let length = 0;
    socket.on("data", (data) => {
      length += data.length;
    });
    socket.resume();
    await once(socket, "end");
    assert.equal(made, 2_000);
    assert.ok(length > 2_000 * size, `${length} bytes`);
  });

  for (const [what, wrap] of /** @type {[string, (x: any) => any][]} */ ([
    ["an async generator", (generator) => generator],
    ["a Node stream", (generator) => Readable.from(generator)],
    ["a web stream", (generator) => webStreamOf(generator)],
  ])) {
    for (const ahead of ["", "GET /first HTTP/1.1\r\nHost: x\r\n\r\n"]) {
      const where = ahead === "" ? "" : ", also behind another answer";
      const skip = ahead !== "" && skipInTurn(velocy);
      test(`ends ${what} when its client leaves${where}`, {
        skip,
      }, async (t) => {
        const ended = resolvers();
        const { port, told } = await serve(t, velocy, (req) => {
          if (req.url === "/first") return undefined;
          return wrap(
            (async function* () {
              try {
                for (;;) {
                  await sleep(1);
                  yield "x".repeat(10_000);
                }
              } finally {
                ended.resolve(true);
              }
            })(),
          );
        });
        const socket = connect(port, ahead);
        if (ahead === "") await once(socket, "data");
        else await sleep(50);
        socket.destroy();
        assert.equal(await ended.promise, true);
        await new Promise(setImmediate);
        assert.deepEqual(told, []);
      });
    }
  }

  test("leaves nothing on the connection behind it", async (t) => {
    const { port } = await serve(t, velocy, (req) => {
      if (req.url === "/count") {
        return {
          close: req.socket.listenerCount("close"),
          drain: req.res.listenerCount("drain"),
        };
      }
      return (async function* () {
        for (let i = 0; i < 50; i += 1) yield "x".repeat(100_000);
      })();
    });
    const socket = connect(port, "GET /count HTTP/1.1\r\nHost: x\r\n\r\n");
    let text = "";
    socket.on("data", (data) => {
      text += data;
    });
    while (!text.endsWith("0\r\n\r\n")) await once(socket, "data");
    socket.write(
      "GET /count HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    );
    await once(socket, "end");
    const [before = "none", after] = text.match(/\{"close.*?\}/g) ?? [];
    assert.equal(after, before);
  });
}

/** @param {Velocy} velocy */
export function testQuietStreams(velocy) {
  test("ends a stream that is silent when its client leaves", async (t) => {
    /** @type {any} */
    let stream;
    const { port, told } = await serve(t, velocy, () => {
      stream = new Readable({ read() {} });
      stream.push("x");
      return stream;
    });
    const socket = connect(port);
    await once(socket, "data");
    socket.destroy();
    await once(stream, "close");
    await new Promise(setImmediate);
    assert.equal(stream.destroyed, true);
    assert.deepEqual(told, []);
  });

  test("cancels a web stream that is silent when its client leaves", async (t) => {
    const cancelled = resolvers();
    const { port, told } = await serve(t, velocy, () => {
      return new ReadableStream({
        start: (controller) => controller.enqueue(new Uint8Array(1)),
        cancel: () => cancelled.resolve(true),
      });
    });
    const socket = connect(port);
    await once(socket, "data");
    socket.destroy();
    assert.equal(await cancelled.promise, true);
    await new Promise(setImmediate);
    assert.deepEqual(told, []);
  });

  test("ends a stream whose client has left before it came", async (t) => {
    const stream = new Readable({ read() {} });
    const { port } = await serve(t, velocy, async (req) => {
      await once(req.socket, "close");
      return stream;
    });
    const socket = connect(port);
    await once(socket, "connect");
    await sleep(20);
    socket.destroy();
    await once(stream, "close");
    assert.equal(stream.destroyed, true);
  });

  test("doesn't start a stream for HEAD, and leaves none open", async (t) => {
    let hasBegun = false;
    const node = Readable.from(generate());
    const { ask } = await serve(t, velocy, (req) => {
      if (req.url === "/node") return node;
      return (async function* () {
        hasBegun = true;
        yield "x";
      })();
    });
    for (const target of ["/node", "/generator"]) {
      const answer = await ask("HEAD", target);
      assert.equal(answer.statusCode, 200);
      assert.equal(field(answer, "content-type"), BYTES);
      assert.equal(answer.body, "");
    }
    assert.equal(node.destroyed, true);
    assert.equal(hasBegun, false);
    const { told, ask: askAgain } = await serve(t, velocy, () =>
      createReadStream("/none/such"),
    );
    await askAgain("HEAD");
    await sleep(20);
    assert.deepEqual(told, []);
  });

  test("ends a stream that comes behind an answer, and hears its error", async (t) => {
    const silent = new Readable({ read() {} });
    const taken = new ReadableStream();
    taken.getReader();
    const { ask, told } = await serve(t, velocy, (req, res) => {
      res.text("first");
      if (req.url === "/silent") return silent;
      if (req.url === "/taken") return taken;
      return createReadStream("/none/such");
    });
    for (const target of ["/silent", "/taken", "/missing"]) {
      assert.equal((await ask("GET", target)).body, "first");
      await sleep(20);
      assert.equal(told.pop()?.code, "ERR_ANSWERED");
      assert.deepEqual(told, []);
    }
    assert.equal(silent.destroyed, true);
  });
}

/**
 * What methods of a response send streams with.
 *
 * @param {Velocy} velocy
 * @param {(res: any, value: unknown, type?: string) => unknown} send
 */
export function testSend(velocy, send) {
  for (const [what, make] of SOURCES) {
    test(`sends ${what} with the type that it is given`, async (t) => {
      const { ask, told } = await serve(t, velocy, (_req, res) =>
        send(res, make(), "text/x-rows"),
      );
      for (const method of ["GET", "HEAD"]) {
        const answer = await ask(method);
        assert.equal(answer.statusCode, 200);
        assert.equal(field(answer, "content-type"), "text/x-rows");
      }
      await new Promise(setImmediate);
      assert.deepEqual(told, []);
    });
  }
}

/** @param {AsyncIterable<unknown>} source */
function webStreamOf(source) {
  return /** @type {any} */ (ReadableStream).from(source);
}

/** @param {number} port */
function connect(port, ahead = "") {
  const socket = net.connect(port, "127.0.0.1").setEncoding("latin1");
  socket.on("error", () => {});
  socket.write(`${ahead}GET / HTTP/1.1\r\nHost: x\r\n\r\n`);
  return socket;
}

/**
 * @param {() => number} read
 * @returns {Promise<number>} the number when it has stopped growing
 */
async function settled(read) {
  let last = -1;
  while (last !== read() || last === 0) {
    last = read();
    await sleep(100);
  }
  return last;
}

function resolvers() {
  /** @type {(value: unknown) => void} */
  let resolve = () => {};
  const promise = new Promise((fulfil) => {
    resolve = fulfil;
  });
  return { promise, resolve };
}

/** @param {string} body */
function unchunked(body) {
  let text = "";
  let rest = body;
  for (;;) {
    const end = rest.indexOf("\r\n");
    const size = Number.parseInt(rest.slice(0, end), 16);
    if (!(size > 0)) break;
    text += rest.slice(end + 2, end + 2 + size);
    rest = rest.slice(end + 2 + size + 2);
  }
  assert.equal(rest, "0\r\n\r\n", "the body is whole");
  return text;
}

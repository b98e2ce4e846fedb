import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import https from "node:https";
import net from "node:net";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { after, before, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import tls from "node:tls";
import v8 from "node:v8";
import vm from "node:vm";
import { lacks } from "../../../tools/lib/programs.js";
import { testHandedOver } from "../../contracts/http/handed-over.js";
import {
  readTargets,
  sendUntilStuck,
} from "../../contracts/http/slow-readers.js";
import { ask, listen } from "../../contracts/router/ask.js";
import { Visitor } from "../../contracts/visitor.js";
import * as velocy from "../index.js";
import { Connection } from "../lib/engine/connection.js";
import { createServer } from "../lib/engine/index.js";
import { HttpError } from "../lib/errors.js";

const { files, Router } = velocy;

/** @import { TestContext } from "node:test" */

v8.setFlagsFromString("--expose-gc");
/** @type {() => void} */
const collectGarbage = vm.runInNewContext("gc");

const GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

/**
 * @param {TestContext} t
 * @param {(router: any) => void} addRoutes
 * @param {object} [options]
 */
async function serve(t, addRoutes, options) {
  const router = new Router();
  addRoutes(router);
  /** @type {any[]} */
  const errors = [];
  const onError = (/** @type {any} */ err) => errors.push(err);
  const server = createServer(router, { onError, ...options });
  const port = await listen(t, server);
  return { server, port, errors };
}

/** @param {any} server */
function countConnections(server) {
  return new Promise((resolve, reject) => {
    server.getConnections((/** @type {any} */ err, /** @type {any} */ n) =>
      err ? reject(err) : resolve(n),
    );
  });
}

/** @param {() => unknown} isTrue @param {string} what */
async function waitUntil(isTrue, what) {
  for (let i = 0; i < 100; i += 1) {
    if (await isTrue()) return;
    await sleep(25);
  }
  assert.fail(what);
}

/** @param {number} port */
async function connectTo(port) {
  const socket = net.connect(port, "127.0.0.1");
  socket.on("error", () => {});
  await once(socket, "connect");
  return socket;
}

/** @param {net.Socket} socket @returns {Promise<string>} all until its end */
async function readAll(socket) {
  let text = "";
  for await (const chunk of socket) text += chunk.toString("latin1");
  return text;
}

describe("Who sends too much, who waits too long", () => {
  const QUICK = {
    headersTimeout: 400,
    requestTimeout: 800,
    keepAliveTimeout: 200,
    keepAliveTimeoutBuffer: 0,
    connectionsCheckingInterval: 50,
  };
  const addBody = (/** @type {any} */ router) => {
    router.get("/", () => "hello");
    router.post(
      "/",
      async (/** @type {any} */ req) => (await req.text()).length,
    );
    router.get("/slow", () => sleep(1500, "slow"));
  };

  for (const [what, bytes, byte, from, to] of /** @type {const} */ ([
    [
      "a head that never ends",
      "GET / HTTP/1.1\r\nHost: a\r\nX: ",
      "x",
      300,
      2000,
    ],
    ["a request line that never ends", "GET /", "x", 300, 2000],
    [
      "a body that never ends",
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999\r\n\r\n",
      "x",
      600,
      3000,
    ],
    [
      "chunks that never end",
      "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n",
      "1\r\nx\r\n",
      600,
      3000,
    ],
    [
      "trailers that never end",
      "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n",
      "X: y\r\n",
      600,
      3000,
    ],
  ])) {
    it(`answers ${what} with 408, though bytes keep coming`, async (t) => {
      const { port } = await serve(t, addBody, QUICK);
      const socket = await connectTo(port);
      const start = performance.now();
      socket.write(bytes);
      const drip = setInterval(() => socket.write(byte), 40);
      t.after(() => clearInterval(drip));
      const [chunk] = await once(socket, "data");
      const time = performance.now() - start;
      assert.match(
        String(chunk),
        /^HTTP\/1\.1 408 [\s\S]*connection: close/i,
      );
      assert.ok(time > from && time < to, `after ${time} ms`);
      clearInterval(drip);
      socket.resume();
      await once(socket, "end");
      socket.destroy();
    });
  }

  it("hangs up on who has asked and asks no more, without a word", async (t) => {
    const { port } = await serve(t, addBody, QUICK);
    const socket = await connectTo(port);
    socket.write(GET);
    const start = performance.now();
    const text = await readAll(socket);
    const time = performance.now() - start;
    assert.equal(text.match(/HTTP\/1\.1/g)?.length, 1);
    assert.ok(time > 150 && time < 1500, `after ${time} ms`);
  });

  for (const [noDelay, expected] of [
    [undefined, true],
    [true, true],
    [false, false],
  ]) {
    it(`sends at once, unless noDelay is false: ${noDelay}`, async (t) => {
      const { server } = await serve(t, addBody, { noDelay });
      assert.equal(server.noDelay, expected);
    });
  }

  it("lets a handler take its time", async (t) => {
    const { port } = await serve(t, addBody, QUICK);
    const { body } = await ask(port, "GET", "/slow");
    assert.equal(body, "slow");
  });

  it("gives each request its own time", async (t) => {
    const { port } = await serve(t, addBody, QUICK);
    const visitor = await Visitor.connect({ port, host: "127.0.0.1" });
    for (let i = 1; i <= 8; i += 1) {
      await visitor.send(GET.slice(0, 20));
      await sleep(120);
      await visitor.send(GET.slice(20));
      assert.equal((await visitor.response(i)).status, 200);
    }
    visitor.leave();
  });

  it("bears with 300 that drip, and its memory stays as it is", async (t) => {
    const patient = {
      headersTimeout: 20_000,
      connectionsCheckingInterval: 100,
    };
    const { port, server } = await serve(t, addBody, patient);
    const sockets = await Promise.all(
      Array.from({ length: 300 }, () => connectTo(port)),
    );
    t.after(() => {
      for (const socket of sockets) socket.destroy();
    });
    const head = "GET / HTTP/1.1\r\nHost: a\r\nX-Drip: ";
    let sent = 0;
    const drip = async () => {
      const byte = head[sent++] ?? "a";
      for (const socket of sockets) socket.write(byte);
      await sleep(5);
    };
    for (let i = 0; i < 60; i += 1) await drip();
    const heap = await settledHeap();
    for (let i = 0; i < 200; i += 1) await drip();
    const grown = (await settledHeap()) - heap;
    const start = performance.now();
    assert.equal((await ask(port, "GET", "/")).body, "hello");
    const time = performance.now() - start;
    await waitUntil(
      async () => (await countConnections(server)) === 300,
      "some were hung up on",
    );
    assert.ok(grown < 300 * 2000, `${grown / 300} bytes for each`);
    assert.ok(time < 1000, `somebody else waited ${time} ms`);
  });

  it("gives no second answer to a request whose body never comes", async (t) => {
    const { port } = await serve(t, addBody, QUICK);
    const socket = await connectTo(port);
    socket.write(
      "POST /none HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhel",
    );
    const answers = (await readAll(socket)).match(/HTTP\/1.1 \d+/g);
    assert.deepEqual(answers, ["HTTP/1.1 404"]);
  });

  it("begins nothing on a socket that its handler has destroyed", async (t) => {
    /** @type {string[]} */
    const seen = [];
    const { port } = await serve(t, (router) => {
      router.get(
        "/:name",
        async (/** @type {any} */ req, /** @type {any} */ res) => {
          seen.push(req.params.name);
          // A listener: then the answer has gone when this is called.
          res.on("finish", () => req.socket.destroy());
          await sleep(50);
          res.end("hello");
        },
      );
    });
    const socket = await connectTo(port);
    socket.write(GET.replace("/", "/one") + GET.replace("/", "/two"));
    await readAll(socket).catch(() => "");
    await sleep(100);
    assert.deepEqual(seen, ["one"]);
  });

  it("lets a client idle as long behind a body that comes after its answer", async (t) => {
    const { port } = await serve(t, addBody, {
      keepAliveTimeout: 1_500,
      keepAliveTimeoutBuffer: 0,
      connectionsCheckingInterval: 50,
    });
    const visitor = await Visitor.connect({ port, host: "127.0.0.1" });
    await visitor.send(
      "POST /none HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n",
    );
    assert.equal((await visitor.response(1)).status, 404);
    await sleep(2_000);
    await visitor.send("hello");
    // Some ticks, and far less than an idle client has.
    await sleep(300);
    await visitor.send(GET);
    assert.equal((await visitor.response(2)).status, 200);
    visitor.leave();
  });

  it("refuses at once what no request begins with, also behind an empty line", async (t) => {
    const { port } = await serve(t, addBody);
    const socket = await connectTo(port);
    t.after(() => socket.destroy());
    let text = "";
    socket.on("data", (bytes) => {
      text += bytes.toString("latin1");
    });
    socket.write("\r\n");
    await sleep(50);
    socket.write("\x16\x03", "latin1");
    await waitUntil(() => text !== "", "it was not refused");
    assert.match(text, /^HTTP\/1\.1 400 /);
  });

  for (const version of ["", "1", "1.", "1.1"]) {
    const line = `GET / HTTP/${version}`;
    it(`refuses a request line at once that ends too soon: ${JSON.stringify(line)}`, async (t) => {
      const { port } = await serve(t, addBody);
      const socket = await connectTo(port);
      t.after(() => socket.destroy());
      let text = "";
      socket.on("data", (bytes) => {
        text += bytes.toString("latin1");
      });
      socket.write(`${line}\n`);
      await waitUntil(() => text !== "", "it was not refused");
      assert.match(text, /^HTTP\/1\.1 400 /);
    });
  }

  it("says why it refuses what comes behind a HEAD request", async (t) => {
    const { port } = await serve(t, addBody);
    const socket = await connectTo(port);
    t.after(() => socket.destroy());
    let text = "";
    socket.on("data", (bytes) => {
      text += bytes.toString("latin1");
    });
    socket.write("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n");
    await waitUntil(() => text.includes("200 OK"), "no answer came");
    socket.write("\r");
    await sleep(50);
    socket.write("x".repeat(20_000));
    await waitUntil(() => /HTTP\/1\.1 4/.test(text), "it was not refused");
    await waitUntil(
      () => /\r\n\r\n[\w ]+\n$/.test(text),
      "the refusal has no body",
    );
  });
});

describe("Through the framework", () => {
  it("keeps nothing of a head for as long as a connection is idle", async (t) => {
    const { port } = await serve(t, (router) => {
      router.get("/", () => "hello");
    });
    const count = 200;
    const sockets = await Promise.all(
      Array.from({ length: count }, () => connectTo(port)),
    );
    t.after(() => {
      for (const socket of sockets) socket.destroy();
    });
    const askAll = async (/** @type {string} */ request) => {
      for (const socket of sockets) {
        socket.write(request);
        await once(socket, "data");
      }
    };
    await askAll(GET);
    const heap = await settledHeap();
    const long = `X-Long: ${"a".repeat(14_000)}\r\n\r\n`;
    await askAll(GET.replace(/\r\n$/, long));
    const grown = (await settledHeap()) - heap;
    assert.ok(grown < count * 7_000, `${grown / count} bytes for each`);
  });
});

/** @returns {Promise<number>} bytes of the heap and beside it */
async function settledHeap() {
  for (let i = 0; i < 3; i += 1) {
    collectGarbage();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

describe("Whatever streams", () => {
  const LONG = "x".repeat(5_000);
  const TARGETS = (/** @type {any} */ router) => {
    router.get("/*path", (/** @type {any} */ req) => {
      return { target: req.url, LONG };
    });
  };

  it("takes no more requests than it can answer", async (t) => {
    const { port, server } = await serve(t, TARGETS);
    const socket = await connectTo(port);
    t.after(() => socket.destroy());
    const before = await settledHeap();
    const sent = await sendUntilStuck(socket);
    const grown = (await settledHeap()) - before;
    assert.ok(sent < 30 * 1024 ** 2, `it took all of ${sent} bytes`);
    assert.ok(grown < 20 * 1024 ** 2, `${grown} bytes are kept`);
    assert.equal((await ask(port, "GET", "/other")).statusCode, 200);
    await waitUntil(
      async () => (await countConnections(server)) === 1,
      "it was hung up on, or another is left",
    );
  });

  it("answers all of one that reads late, in order", async (t) => {
    const { port } = await serve(t, TARGETS);
    const socket = await connectTo(port);
    t.after(() => socket.destroy());
    const count = 3000;
    for (let i = 0; i < count; i += 1)
      socket.write(`GET /${i} HTTP/1.1\r\nHost: a\r\n\r\n`);
    await sleep(300);
    const targets = await readTargets(socket, count);
    assert.deepEqual(
      targets,
      Array.from({ length: count }, (_, i) => `/${i}`),
    );
  });

  it("keeps no more than a little of a body that a handler doesn't read", async (t) => {
    const { port } = await serve(t, (router) => {
      router.post("/", { bodyBytes: 1e9 }, () => sleep(1000, "late"));
    });
    const socket = await connectTo(port);
    t.after(() => socket.destroy());
    socket.write(
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 500000000\r\n\r\n",
    );
    const before = await settledHeap();
    const bytes = Buffer.alloc(1024 ** 2);
    let sent = 0;
    while (sent < 40 && socket.write(bytes)) sent += 1;
    for (; sent < 40; sent += 1) {
      const drained = once(socket, "drain").then(() => true);
      if (!(await Promise.race([drained, sleep(300, false)]))) break;
      socket.write(bytes);
    }
    const grown = (await settledHeap()) - before;
    assert.ok(sent < 40, "it took all");
    assert.ok(grown < 10 * 1024 ** 2, `${grown} bytes are kept`);
  });
});

describe("Who sends too much, who waits too long", () => {
  /** What a client has sent, and has seen, when it leaves. */
  const MOMENTS = {
    "at once": { send: "", wait: "" },
    "in a head": { send: "GET / HTTP/1.1\r\nHo", wait: "" },
    "in a body": {
      send: "POST /read HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc",
      wait: "",
    },
    "in a chunk": {
      send: "POST /read HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n9\r\na",
      wait: "",
    },
    "before the answer": {
      send: "GET /never HTTP/1.1\r\nHost: a\r\n\r\n",
      wait: "",
    },
    "in a stream": {
      send: "GET /stream HTTP/1.1\r\nHost: a\r\n\r\n",
      wait: "HTTP",
    },
    "in a large answer": {
      send: "GET /large HTTP/1.1\r\nHost: a\r\n\r\n",
      wait: "HTTP",
    },
    "in a file": {
      send: `GET /file/${basename(process.execPath)} HTTP/1.1\r\nHost: a\r\n\r\n`,
      wait: "200 OK",
    },
    "after an answer": { send: GET, wait: "hello" },
    "with more requests behind": {
      send: `GET /never HTTP/1.1\r\nHost: a\r\n\r\n${GET.repeat(20)}`,
      wait: "",
    },
    "after a refusal": { send: "GET\r\n\r\n", wait: "400" },
    "after 100 Continue": {
      send: "POST /read HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n",
      wait: "100",
    },
  };
  const WAYS = /** @type {const} */ (["end", "destroy", "resetAndDestroy"]);

  for (const [when, { send, wait }] of Object.entries(MOMENTS)) {
    for (const way of WAYS) {
      it(`leave nothing behind: ${when}, by ${way}()`, async (t) => {
        /** @type {WeakRef<any>[]} */
        const kept = [];
        let signals = 0;
        let streams = 0;
        const { port, server, errors } = await serve(t, (router) => {
          router.use(
            (
              /** @type {any} */ req,
              /** @type {any} */ res,
              /** @type {any} */ next,
            ) => {
              kept.push(new WeakRef(req), new WeakRef(res));
              return next();
            },
          );
          router.get("/", () => "hello");
          router.post("/read", (/** @type {any} */ req) => req.text());
          router.get("/never", (/** @type {any} */ req) => {
            req.signal.addEventListener("abort", () => {
              signals += 1;
            });
            return new Promise(() => {});
          });
          router.get("/stream", async function* stream() {
            streams += 1;
            try {
              for (;;) {
                yield "x".repeat(1000);
                await sleep(2);
              }
            } finally {
              streams -= 1;
            }
          });
          router.get("/large", () => "x".repeat(20_000_000));
          router.get("/file/*", files(dirname(process.execPath)));
        });
        const before = process.getActiveResourcesInfo().length;
        for (let round = 0; round < 8; round += 1) {
          const socket = await connectTo(port);
          if (send !== "") socket.write(send);
          if (wait === "") await sleep(3);
          else await untilText(socket, wait);
          socket[way]();
          // Who only ends its half still reads, and goes then.
          if (way === "end") {
            socket.resume();
            await sleep(20);
            socket.destroy();
          }
        }
        await waitUntil(
          async () => (await countConnections(server)) === 0,
          "connections are left",
        );
        await waitUntil(() => streams === 0, "streams are left");
        if (send.includes("never"))
          await waitUntil(() => signals > 0, "no signal was aborted");
        await waitUntil(() => {
          collectGarbage();
          return kept.every((one) => one.deref() === undefined);
        }, "requests are left");
        await waitUntil(
          () => process.getActiveResourcesInfo().length <= before,
          `resources are left: ${process.getActiveResourcesInfo()}`,
        );
        assert.deepEqual(errors, []);
      });
    }
  }
});

/** @param {net.Socket} socket @param {string} text */
async function untilText(socket, text) {
  let received = "";
  while (!received.includes(text)) {
    const [chunk] = await once(socket, "data");
    received += chunk.toString("latin1");
  }
}

describe("Who sends too much, who waits too long", () => {
  it("answers at once who has ended its half behind a request", async (t) => {
    const { port } = await serve(t, (router) => {
      router.get("/", () => "hello");
    });
    const socket = net.connect({
      port,
      host: "127.0.0.1",
      allowHalfOpen: true,
    });
    socket.end(GET);
    assert.match(await readAll(socket), /^HTTP\/1\.1 200 [\s\S]+hello$/);
  });

  it("takes the end of a half for a client that leaves", async (t) => {
    const aborted = new Promise((resolve) => {
      t.signal.addEventListener("abort", () => resolve("never"));
      serve(t, (router) => {
        router.get("/", async (/** @type {any} */ req) => {
          req.signal.addEventListener("abort", () => resolve("aborted"));
          await sleep(5_000, undefined, { signal: req.signal });
        });
      }).then(({ port }) => {
        net
          .connect(port, "127.0.0.1")
          .on("error", () => {})
          .end(GET);
      });
    });
    assert.equal(await aborted, "aborted");
  });

  it("closes where the half ends inside of a request", async (t) => {
    const { port } = await serve(t, (router) => {
      router.post("/", (/** @type {any} */ req) => req.text());
    });
    for (const bytes of [
      "GET / HT",
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nabc",
      "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc",
    ]) {
      const socket = net.connect({
        port,
        host: "127.0.0.1",
        allowHalfOpen: true,
      });
      socket.end(bytes);
      assert.match(await readAll(socket), /^$|^HTTP\/1\.1 400 /);
    }
  });
});

describe("A client that expects 100 Continue", () => {
  it("tells clientError when the answers before have gone out, and once", async (t) => {
    const { port, server } = await serve(t, (router) => {
      router.get("/", () => "hello");
    });
    /** @type {string[]} */
    const told = [];
    server.on(
      "clientError",
      (/** @type {any} */ err, /** @type {any} */ socket) => {
        told.push(err.code ?? err.message);
        socket.end("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n");
      },
    );
    const socket = await connectTo(port);
    socket.write(`${GET}${GET}GET / HTTP/1.1\r\nHost : a\r\n\r\n`);
    const text = await readAll(socket);
    assert.deepEqual(text.match(/HTTP\/1\.1 \d+/g), [
      "HTTP/1.1 200",
      "HTTP/1.1 200",
      "HTTP/1.1 400",
    ]);
    assert.deepEqual(told, ["a field is a name, a colon and a value"]);
  });

  it("tells clientError of no request that has been answered, so that no listener answers again", async (t) => {
    const quick = { requestTimeout: 300, connectionsCheckingInterval: 50 };
    const { port, server } = await serve(t, () => {}, quick);
    /** @type {string[]} */
    const told = [];
    server.on(
      "clientError",
      (/** @type {any} */ err, /** @type {any} */ socket) => {
        told.push(err.message);
        socket.end("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n");
      },
    );
    const post =
      "POST /none HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n";
    const late = await connectTo(port);
    late.write(`${post}hel`);
    const leaving = await connectTo(port);
    leaving.write(`${post}hel`);
    const [chunk] = await once(leaving, "data");
    leaving.end();
    for (const text of [
      await readAll(late),
      String(chunk) + (await readAll(leaving)),
    ]) {
      assert.deepEqual(text.match(/HTTP\/1\.1 \d+/g), ["HTTP/1.1 404"]);
    }
    assert.deepEqual(told, []);
  });

  it("begins to wait for a client that leaves when clientError has been told", () => {
    /** @type {any} */
    const engine = {
      limits: { headBytes: 100, fieldCount: 10 },
      tick: 0,
      tellClientError: () => true,
    };
    /** @type {any} */
    const socket = { on() {} };
    const connection = new Connection(socket, engine);
    const bytes = Buffer.from("GET / HT");
    connection.read(bytes, 0, bytes.length);
    engine.tick = 100;
    connection.refuse(new HttpError(408, "the request takes too long"));
    assert.equal(connection.state, "closing");
    assert.equal(connection.since, 100);
  });
});

describe("Through the framework", () => {
  it("gets an answer, and the end of the connection", async (t) => {
    const { port } = await serve(t, (router) => {
      router.get("/", () => "hello");
      router.get("/stream", async function* stream() {
        yield "one";
        yield "two";
      });
    });
    for (const [path, body] of [
      ["/", "hello"],
      ["/stream", "onetwo"],
    ]) {
      const socket = await connectTo(port);
      socket.write(`GET ${path} HTTP/1.0\r\n\r\n`);
      const text = await readAll(socket);
      assert.match(text, /^HTTP\/1\.1 200 /);
      assert.doesNotMatch(text, /transfer-encoding/i);
      assert.ok(text.endsWith(`\r\n\r\n${body}`), text);
    }
  });

  it("keeps the connection if it asks for that", async (t) => {
    const { port } = await serve(t, (router) => {
      router.get("/", () => "hello");
    });
    const visitor = await Visitor.connect({ port, host: "127.0.0.1" });
    for (let i = 1; i <= 2; i += 1) {
      await visitor.send(
        "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
      );
      const { fields, body } = await visitor.response(i);
      assert.deepEqual(fields.get("connection"), ["keep-alive"]);
      assert.equal(String(body), "hello");
    }
    visitor.leave();
  });
});

describe("Bodies", () => {
  it("refuses a HEAD whose chunks are wrong with a head alone (RFC 9110, section 9.3.2)", async (t) => {
    const { port } = await serve(t, (router) => {
      router.get("/", (/** @type {any} */ req) => req.text());
    });
    const socket = await connectTo(port);
    socket.write(
      "HEAD / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0x5\r\n",
    );
    const text = await readAll(socket);
    assert.match(text, /^HTTP\/1\.1 400 [\s\S]*\r\n\r\n$/);
  });

  it("reads the next request behind a body whose last piece filled its buffer", async (t) => {
    const { port } = await serve(t, (router) => {
      router.get("/", () => "hello");
      router.post("/", async (/** @type {any} */ req) => {
        // Nobody reads before all has come that there is room for.
        const { socket } = req;
        const isThere = () => req.complete || socket.isPaused();
        await waitUntil(isThere, "the body did not come");
        return String((await req.bytes()).length);
      });
    });
    const visitor = await Visitor.connect({ port, host: "127.0.0.1" });
    const head =
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 80000\r\n\r\n";
    await visitor.send(head + "a".repeat(80_000));
    assert.equal(String((await visitor.response(1)).body), "80000");
    await visitor.send(GET);
    assert.equal(String((await visitor.response(2)).body), "hello");
    visitor.leave();
  });

  it("sends trailers", async (t) => {
    const { port } = await serve(t, (router) => {
      router.get("/", (/** @type {any} */ _req, /** @type {any} */ res) => {
        res.setHeader("trailer", "x-sum");
        res.write("hello");
        res.addTrailers({ "x-sum": "5" });
        res.end();
      });
    });
    const socket = await connectTo(port);
    socket.write(GET.replace("Host", "Connection: close\r\nHost"));
    const text = await readAll(socket);
    assert.match(text, /\r\n5\r\nhello\r\n0\r\nx-sum: 5\r\n\r\n$/i);
  });

  it("refuses CONNECT, and gives it to who listens for it", async (t) => {
    const { port, server } = await serve(t, (router) => {
      router.get("/", () => "hello");
    });
    const bytes = "CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n";
    const refused = await connectTo(port);
    refused.write(bytes);
    const [head] = await once(refused, "data");
    assert.match(String(head), /^HTTP\/1\.1 400 /);
    refused.destroy();
    server.on(
      "connect",
      (
        /** @type {any} */ _req,
        /** @type {any} */ socket,
        /** @type {any} */ rest,
      ) => {
        socket.write("HTTP/1.1 200 OK\r\n\r\n");
        socket.write(rest);
        socket.pipe(socket);
      },
    );
    const tunnel = await connectTo(port);
    tunnel.write(`${bytes}early`);
    await untilText(tunnel, "early");
    tunnel.write("later");
    await untilText(tunnel, "later");
    tunnel.destroy();
  });
});

const OPENSSL = lacks("openssl");

describe("A connection for WebSockets, and one with TLS", {
  skip: OPENSSL,
}, () => {
  let folder = "";
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "engine-"));
    const names = ["key", "cert"].map((name) =>
      join(folder, `${name}.pem`),
    );
    const words = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost`;
    execFileSync(
      "openssl",
      [...words.split(" "), "-keyout", names[0], "-out", names[1]],
      { stdio: "ignore" },
    );
  });
  after(() => rmSync(folder, { recursive: true }));
  const secret = () => ({
    key: readFileSync(join(folder, "key.pem")),
    cert: readFileSync(join(folder, "cert.pem")),
  });

  describe("handed over by node:http", () => testHandedOver(velocy));
  describe("handed over by the engine", () => {
    testHandedOver({ ...velocy, createServer });
  });
  describe("handed over by the engine, of TLS", () => {
    const connect = (/** @type {number} */ port) =>
      tls.connect({ port, host: "127.0.0.1", rejectUnauthorized: false });
    const options = secret;
    testHandedOver({ ...velocy, createServer }, { options, connect });
  });

  it("answers over TLS as without", async (t) => {
    const { port } = await serve(
      t,
      (router) => {
        router.get("/", (/** @type {any} */ req) =>
          String(req.socket.encrypted),
        );
        router.get("/large", () => "x".repeat(3_000_000));
        router.post("/", async (/** @type {any} */ req) => {
          return String((await req.bytes()).length);
        });
      },
      secret(),
    );
    const agent = new https.Agent({ keepAlive: true, maxSockets: 1 });
    t.after(() => agent.destroy());
    const options = { agent, rejectUnauthorized: false };
    /** @param {string} method @param {string} path @param {any} [body] */
    const askSecure = (method, path, body) =>
      new Promise((resolve, reject) => {
        const address = { host: "127.0.0.1", port, method, path };
        const req = https.request(
          { ...address, ...options },
          async (res) => {
            resolve(Buffer.concat(await res.toArray()).toString());
          },
        );
        req.on("error", reject);
        req.end(body);
      });
    assert.equal(await askSecure("GET", "/"), "true");
    assert.equal((await askSecure("GET", "/large")).length, 3_000_000);
    const body = Buffer.alloc(900_000);
    assert.equal(await askSecure("POST", "/", body), "900000");
    assert.equal(await askSecure("GET", "/"), "true");
  });

  it("survives who speaks no TLS, and who leaves in a handshake", async (t) => {
    const { port, server } = await serve(
      t,
      (router) => {
        router.get("/", () => "hello");
      },
      secret(),
    );
    for (const bytes of [GET, "\x16\x03\x01", ""]) {
      const socket = await connectTo(port);
      socket.write(bytes);
      await sleep(20);
      socket.resetAndDestroy();
    }
    await waitUntil(
      async () => (await countConnections(server)) === 0,
      "connections are left",
    );
  });
});

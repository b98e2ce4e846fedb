/**
 * The contract for a server that closes.
 *
 *     testClosing(velocy);
 *     testClosing(velocy, { groups: ["answers", "pipelines"] });
 *
 * `velocy.createServer` may be that of another engine.
 */
import assert from "node:assert/strict";
import { subscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import net from "node:net";
import { describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { ask, CASES } from "./cases.js";

/** @import { TestContext } from "node:test" */
/** @import { Case } from "./cases.js" */

/** @param {any} velocy @param {() => void} begin is told of each request */
function routes({ events, Router, websocket }, begin) {
  const router = new Router();
  router.use(
    (
      /** @type {any} */ _req,
      /** @type {any} */ _res,
      /** @type {any} */ next,
    ) => {
      begin();
      return next();
    },
  );
  router.get("/fast", () => "fast\n");
  router.get("/slow", () => sleep(300, "slow\n"));
  router.get("/never", () => new Promise(() => {}));
  router.get("/fails", async () => {
    await sleep(200);
    throw new Error("on purpose");
  });
  router.get(
    "/keeps",
    async (/** @type {any} */ _req, /** @type {any} */ res) => {
      await sleep(200);
      res.setHeader("connection", "keep-alive");
      return "kept\n";
    },
  );
  router.get(
    "/passes-on",
    async (/** @type {any} */ _req, /** @type {any} */ res) => {
      await sleep(200);
      res.writeHead(200, { Connection: "keep-alive", "content-length": 3 });
      res.end("ok\n");
    },
  );
  router.get("/stream", async function* stream() {
    yield "first\n";
    await sleep(300);
    yield "last\n";
  });
  router.get(
    "/endless",
    (/** @type {any} */ _req, /** @type {any} */ res) => {
      res.flushHeaders();
    },
  );
  router.post("/echo", (/** @type {any} */ req) => req.text());
  router.get(
    "/events",
    (/** @type {any} */ req, /** @type {any} */ res) => {
      events(req, res);
    },
  );
  router.get(
    "/socket",
    websocket(() => {}),
  );
  return router;
}

/**
 * @param {TestContext} t
 * @param {any} velocy
 */
export async function openServer(t, velocy) {
  const state = { begun: 0 };
  const router = routes(velocy, () => {
    state.begun += 1;
  });
  const server = velocy.createServer(router, {
    onError: () => {},
    connectionsCheckingInterval: 50,
    headersTimeout: 800,
    keepAliveTimeout: 200,
  });
  // What the engine took as an option, or takes as a property.
  Object.assign(server, { headersTimeout: 800, keepAliveTimeout: 200 });
  server.listen(0, "127.0.0.1");
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  await once(server, "listening");
  const { port } = server.address();
  return { server, port, state };
}

/** What servers in this process have accepted, by the client's port. */
const accepted = new Map();
subscribe("net.server.socket", (/** @type {any} */ { socket }) => {
  accepted.set(socket.remotePort, socket);
});

/** A client that keeps what it reads. */
class Client {
  text = "";
  code = "";
  #socket;
  #closed;

  /** @param {number} port */
  constructor(port) {
    this.#socket = net.connect(port, "127.0.0.1");
    this.#socket.on("data", (chunk) => {
      this.text += chunk.toString("latin1");
    });
    this.#socket.on("error", (/** @type {any} */ err) => {
      this.code = err.code;
    });
    this.#closed = new Promise((resolve) =>
      this.#socket.once("close", resolve),
    );
  }

  /** Whether a server has read so much. @param {string | undefined} bytes */
  isRead(bytes = "") {
    const { bytesRead = -1 } = accepted.get(this.#socket.localPort) ?? {};
    return bytesRead >= Buffer.byteLength(bytes);
  }

  /** @param {string | undefined} bytes */
  send(bytes) {
    if (bytes !== undefined) this.#socket.write(bytes);
  }

  get statuses() {
    const lines = this.text.matchAll(/HTTP\/1\.1 (\d{3}) /g);
    return Array.from(lines, ([, code]) => Number(code));
  }

  get lastHead() {
    return this.text.slice(this.text.lastIndexOf("HTTP/1.1 "));
  }

  async closed() {
    await Promise.race([
      this.#closed,
      sleep(10_000, undefined, { ref: false }).then(() =>
        assert.fail("it stays open"),
      ),
    ]);
  }

  leave() {
    this.#socket.destroy();
  }
}

/** @param {() => boolean} isTrue */
async function until(isTrue) {
  for (let i = 0; i < 500 && !isTrue(); i += 1) await sleep(10);
  assert.ok(isTrue(), "it didn't come to that");
}

const DEADLINE = 2500;

/** @param {TestContext} t @param {any} velocy @param {Case} each */
async function runCase(t, velocy, each) {
  const { server, port, state } = await openServer(t, velocy);
  const client = new Client(port);
  t.after(() => client.leave());
  client.send(each.before);
  const { begun = 0, answered = 0, cut = 0 } = each;
  await until(
    () => state.begun >= begun && client.statuses.length >= answered,
  );
  if (begun + answered === 0) await until(() => client.isRead(each.before));
  client.send(each.meanwhile);
  const start = performance.now();
  const closed = velocy.closeGracefully(server, { deadline: DEADLINE });
  assert.equal(velocy.isClosing(server), true, "it says that it closes");
  await sleep(200);
  client.send(each.later);
  await client.closed();
  const time = performance.now() - start;
  const isLate = time > DEADLINE - 50;
  assert.ok(time < DEADLINE + 1500, `closed after ${time} ms`);
  assert.equal(client.code, "", "there is no reset");
  assert.deepEqual(client.statuses, each.sees);
  if (each.last)
    assert.match(client.lastHead, /\r\nconnection: close\r\n/i);
  assert.equal(isLate ? "deadline" : "itself", each.ends);
  assert.deepEqual(await closed, { finished: 1 - cut, cut });
  return client;
}

/** By what a client has to do with it. */
export const GROUPS = [
  "answers",
  "pipelines",
  "deadline",
  "goodbyes",
  "server",
];

/**
 * @param {any} velocy
 * @param {{ groups?: string[] }} [options]
 */
export function testClosing(velocy, { groups = GROUPS } = {}) {
  const unknown = groups.filter((name) => !GROUPS.includes(name));
  if (unknown.length > 0) throw new Error(`no such group: ${unknown}`);
  const isAsked = ({ group = "answers" }) => groups.includes(group);
  const cases = CASES.filter(isAsked);
  if (cases.length > 0) {
    describe("a client of a server that closes", { concurrency: 8 }, () => {
      for (const each of cases) {
        test(each.name, async (t) => {
          const { text } = await runCase(t, velocy, each);
          if (each.name.includes("1001")) {
            assert.ok(text.includes("\x03\xe9"), "it is told 1001");
          }
          if (each.name.includes("events")) {
            assert.match(text, /0\r\n\r\n$/);
          }
          if (each.name.includes("426")) {
            assert.match(text, /\r\nconnection: close, upgrade\r\n/i);
          }
        });
      }
    });
  }
  if (groups.includes("pipelines")) testWaiting(velocy);
  if (groups.includes("server")) testServer(velocy);
}

/** @param {any} velocy */
function testWaiting(velocy) {
  test("a server that closes answers whatever it carries out", async (t) => {
    const { server, port, state } = await openServer(t, velocy);
    const client = new Client(port);
    t.after(() => client.leave());
    client.send(ask("/slow"));
    await until(() => state.begun === 1);
    const closed = velocy.closeGracefully(server);
    // Its answer may be ready first, and has to wait.
    client.send(ask("/fast"));
    await sleep(100);
    client.send(ask("/fast"));
    await client.closed();
    await closed;
    assert.match(client.lastHead, /\r\nconnection: close\r\n/i);
    assert.equal(state.begun, client.statuses.length);
  });
}

/** @param {any} velocy */
function testServer(velocy) {
  const { closeGracefully, createServer, isClosing, Router } = velocy;
  describe("a server that closes", () => {
    test("takes no new connections", async (t) => {
      const { server, port, state } = await openServer(t, velocy);
      const client = new Client(port);
      client.send(ask("/slow"));
      await until(() => state.begun === 1);
      closeGracefully(server);
      const late = new Client(port);
      await late.closed();
      assert.equal(late.code, "ECONNREFUSED");
      await client.closed();
      assert.deepEqual(client.statuses, [200]);
    });

    test("gives the same promise when it is told again", async (t) => {
      const { server } = await openServer(t, velocy);
      const first = closeGracefully(server);
      assert.equal(closeGracefully(server, { deadline: 1 }), first);
      assert.deepEqual(await first, { finished: 0, cut: 0 });
    });

    test("emits close once", async (t) => {
      const { server } = await openServer(t, velocy);
      let count = 0;
      server.on("close", () => {
        count += 1;
      });
      await closeGracefully(server);
      await sleep(20);
      assert.equal(count, 1);
    });

    test("doesn't listen any more when it is told before it does", async () => {
      const server = createServer(new Router());
      server.listen(0, "localhost");
      const result = await closeGracefully(server);
      assert.deepEqual(result, { finished: 0, cut: 0 });
      await sleep(100);
      assert.equal(server.listening, false);
    });

    test("goes on for a while when it is to give notice", async (t) => {
      const { server, port } = await openServer(t, velocy);
      const closed = closeGracefully(server, { notice: 300 });
      assert.equal(isClosing(server), false);
      const client = new Client(port);
      t.after(() => client.leave());
      client.send(ask("/fast"));
      await until(() => client.statuses.length === 1);
      assert.doesNotMatch(client.lastHead, /connection: close/i);
      await until(() => isClosing(server));
      client.send(ask("/fast"));
      await client.closed();
      assert.match(client.lastHead, /connection: close/i);
      assert.deepEqual(await closed, { finished: 1, cut: 0 });
    });

    test("takes a server that it didn't make, and cuts what comes later", async (t) => {
      const server = net.createServer(() => {}).listen(0, "127.0.0.1");
      t.after(() => server.close());
      await once(server, "listening");
      const { port } = /** @type {any} */ (server.address());
      const options = { notice: 200, deadline: 400 };
      const closed = closeGracefully(server, options);
      assert.equal(server.listening, true);
      const client = new Client(port);
      t.after(() => client.leave());
      client.send("hello");
      await client.closed();
      assert.deepEqual((await closed).cut, 1);
    });

    test("doesn't go on when it is made to listen after that", async () => {
      const server = createServer(new Router());
      await closeGracefully(server);
      server.listen(0, "127.0.0.1");
      await once(server, "close");
      assert.equal(server.listening, false);
    });

    test("tells where it listens before it closes again", async () => {
      const server = createServer(new Router());
      await closeGracefully(server);
      const closed = once(server, "close");
      const port = await new Promise((resolve) => {
        server.listen(0, "127.0.0.1", () => {
          resolve(server.address()?.port);
        });
      });
      assert.equal(typeof port, "number");
      await closed;
    });

    test("ends its notice when it is told again without one", async (t) => {
      const { server } = await openServer(t, velocy);
      const start = performance.now();
      const options = { notice: 6000, deadline: 7000 };
      const closed = closeGracefully(server, options);
      closeGracefully(server, { notice: 100 });
      await sleep(200);
      assert.equal(isClosing(server), false, "that one has a notice, too");
      assert.equal(closeGracefully(server), closed);
      assert.deepEqual(await closed, { finished: 0, cut: 0 });
      const time = performance.now() - start;
      assert.ok(time < 3000, `closed after ${time} ms`);
    });

    test("counts the notice as a part of the deadline", async (t) => {
      const { server, port, state } = await openServer(t, velocy);
      const client = new Client(port);
      t.after(() => client.leave());
      client.send(ask("/never"));
      await until(() => state.begun === 1);
      const start = performance.now();
      const options = { notice: 1500, deadline: 2000 };
      assert.deepEqual(await closeGracefully(server, options), {
        finished: 0,
        cut: 1,
      });
      const time = performance.now() - start;
      assert.ok(time > 1950 && time < 3300, `closed after ${time} ms`);
    });

    test("refuses options that can't be meant", () => {
      const server = createServer(new Router());
      for (const [options, code] of /** @type {any[]} */ ([
        [null, "ERR_OPTIONS_INVALID"],
        [{ deadlines: 1 }, "ERR_OPTION_UNKNOWN"],
        [{ deadline: 0 }, "ERR_OPTION_INVALID"],
        [{ deadline: "8s" }, "ERR_OPTION_INVALID"],
        [{ notice: -1 }, "ERR_OPTION_INVALID"],
        [{ notice: 8000 }, "ERR_OPTION_INVALID"],
        [{ notice: 0.5 }, "ERR_OPTION_INVALID"],
        [{ notice: 3e9, deadline: Infinity }, "ERR_OPTION_INVALID"],
      ])) {
        assert.throws(() => closeGracefully(server, options), { code });
      }
      assert.equal(isClosing(server), false);
      const code = "ERR_OPTION_INVALID";
      assert.throws(() => closeGracefully(new Router()), { code });
    });
  });
}

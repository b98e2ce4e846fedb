import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import net from "node:net";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import {
  REDIS_MISSING,
  startRedis,
  testHeldAnswers,
  testLimits,
  testReplies,
  testSessions,
} from "../../contracts/defaults/index.js";
import { cookiesOf, start } from "../../contracts/defaults/visit.js";
import * as velocy from "../index.js";
import { RedisClient } from "../lib/redis/client.js";
import { Connection } from "../lib/redis/connection.js";
import * as reply from "../lib/redis/reply.js";
import { Source } from "../lib/redis/source.js";

const { MemoryStore, RedisLimits, RedisStore } = velocy;
const SECRETS = ["a secret of at least thirty-two bytes"];

describe("Whose session it is", () => {
  testSessions(velocy, () => new MemoryStore());

  it("keeps the sessions that were used last", async () => {
    const store = new MemoryStore({ sessions: 3 });
    for (const id of ["a", "b", "c"]) await store.add(id, id, 1000);
    await store.read("a", 1000);
    await store.add("d", "d", 1000);
    const left = [];
    for (const id of ["a", "b", "c", "d"])
      left.push(await store.read(id, 1));
    assert.deepEqual(left, ["a", null, "c", "d"]);
    assert.equal(store.size, 3);
  });
});

describe("Saved before it is sent", () => testHeldAnswers(velocy));

describe("Many processes, one Redis", { skip: REDIS_MISSING }, () => {
  /** @param {import("node:test").TestContext} t @param {string[]} [options] */
  const startStore = async (t, options) => {
    const redis = await startRedis(t, options);
    const store = new RedisStore(redis.url, { deadline: 500 });
    t.after(() => store.close());
    return { redis, store };
  };
  it("sends what several callbacks ask in one write", async () => {
    const writes = [];
    const socket = Object.assign(new EventEmitter(), {
      destroyed: false,
      write: (/** @type {string} */ text) => writes.push(text),
    });
    const connection = new Connection(/** @type {any} */ (socket), 1000);
    for (let i = 0; i < 3; i += 1) {
      setImmediate(() => connection.send(["PING"]).catch(() => {}));
    }
    while (writes.length === 0) await new Promise(setImmediate);
    await new Promise(setImmediate);
    assert.deepEqual(writes, ["*1\r\n$4\r\nPING\r\n".repeat(3)]);
    socket.emit("close");
  });

  testSessions(velocy, async (t) => (await startStore(t)).store);
  describe("rateLimit", () => {
    testLimits(velocy, async (t) => {
      const store = new RedisLimits((await startRedis(t)).url);
      t.after(() => store.close());
      return store;
    });
  });

  /** @param {import("node:test").TestContext} t @param {string[]} [options] */
  const open = async (t, options) => {
    const { redis, store } = await startStore(t, options);
    const site = await start(t, velocy, (router) => {
      router.get("/public", () => "open");
      router.use("/me", velocy.sessions({ secrets: SECRETS, store }));
      router.get("/me", (/** @type {any} */ req) => ({ ...req.session }));
      router.post("/me/:user", async (/** @type {any} */ req) => {
        await req.session.renew();
        req.session.user = req.params.user;
        return "logged in";
      });
    });
    const cookie = cookiesOf(await site.post("/me/ada"));
    return { redis, store, cookie, ...site };
  };

  it("says so when Redis is killed, and goes on when it is back", async (t) => {
    const { redis, cookie, get, post, errors } = await open(t);
    assert.equal((await get("/me", { cookie })).body, '{"user":"ada"}');
    await redis.kill();
    for (let i = 0; i < 3; i += 1) {
      const start = performance.now();
      const answer = await get("/me", { cookie });
      assert.equal(answer.statusCode, 503);
      assert.equal(answer.headers["retry-after"], "1");
      const login = await post("/me/eve");
      assert.equal(login.statusCode, 503);
      assert.equal(login.headers["set-cookie"], undefined);
      assert.equal((await get("/public")).statusCode, 200);
      assert.ok(
        performance.now() - start < 1_500,
        "it took too long to say so",
      );
    }
    assert.ok(errors.length >= 6, "the program is told of each");
    await redis.restart();
    await until(async () => {
      return (await get("/me", { cookie })).statusCode === 200;
    });
    // Its memory is gone, and so is the session.
    assert.equal((await get("/me", { cookie })).body, "{}");
    assert.equal((await post("/me/ada")).statusCode, 200);
  });

  it("gives Redis up when it is slow, and reads no late reply as another's", async (t) => {
    const { redis, cookie, get, post } = await open(t);
    const other = cookiesOf(await post("/me/bob"));
    redis.signal("SIGSTOP");
    const start = performance.now();
    const both = await Promise.all([
      get("/me", { cookie }),
      get("/me", { cookie: other }),
    ]);
    const codes = both.map(({ statusCode }) => statusCode);
    assert.deepEqual(codes, [503, 503]);
    assert.ok(
      performance.now() - start < 2_000,
      "the deadline is half a second",
    );
    redis.signal("SIGCONT");
    await until(async () => {
      return (await get("/me", { cookie })).statusCode === 200;
    });
    assert.equal(
      (await get("/me", { cookie: other })).body,
      '{"user":"bob"}',
    );
    assert.equal((await get("/me", { cookie })).body, '{"user":"ada"}');
  });

  it("says so when Redis is full, and sets no cookie", async (t) => {
    const { redis, cookie, get, post } = await open(t);
    const client = new RedisClient(redis.url);
    t.after(() => client.close());
    await client.command("CONFIG", "SET", "maxmemory", 1);
    const login = await post("/me/eve");
    assert.equal(login.statusCode, 503);
    assert.equal(login.headers["set-cookie"], undefined);
    assert.equal((await get("/me", { cookie })).body, '{"user":"ada"}');
    await client.command("CONFIG", "SET", "maxmemory", 0);
    assert.equal((await post("/me/eve")).statusCode, 200);
  });

  it("counts limits by itself while Redis is away", async (t) => {
    const redis = await startRedis(t);
    const store = new RedisLimits(redis.url, { deadline: 500 });
    t.after(() => store.close());
    const limit = { requests: 2, seconds: 3600 };
    assert.equal((await store.take("a", limit)).isAllowed, true);
    await redis.kill();
    const taken = [];
    for (let i = 0; i < 3; i += 1) {
      taken.push((await store.take("a", limit)).isAllowed);
    }
    assert.deepEqual(taken, [true, true, false]);
  });

  it("logs in, chooses a database, and tells of a wrong password", async (t) => {
    const { port } = await startRedis(t, ["--requirepass", "p%ss:@/"]);
    const password = encodeURIComponent("p%ss:@/");
    const client = new RedisClient(
      `redis://:${password}@127.0.0.1:${port}/3`,
    );
    t.after(() => client.close());
    await client.command("SET", "a", "1");
    const hello = await client.command("HELLO");
    assert.equal(hello.get("proto"), 3);
    const first = new RedisClient(`redis://:${password}@127.0.0.1:${port}`);
    t.after(() => first.close());
    assert.equal(await first.command("GET", "a"), null);
    assert.equal(await client.command("GET", "a"), "1");
    const wrong = new RedisClient(`redis://:wrong@127.0.0.1:${port}`);
    t.after(() => wrong.close());
    await assert.rejects(wrong.command("PING"), /WRONGPASS/);
  });

  it("gives each command its own reply, many at a time", async (t) => {
    const { url } = await startRedis(t);
    const client = new RedisClient(url);
    t.after(() => client.close());
    const numbers = Array.from({ length: 5_000 }, (_, i) => i);
    const replies = await Promise.all(
      numbers.map(async (i) => {
        if (i % 100 === 7)
          return client.command("NONSENSE").catch(() => -1);
        return Number(await client.command("ECHO", i));
      }),
    );
    const expected = numbers.map((i) => (i % 100 === 7 ? -1 : i));
    assert.deepEqual(replies, expected);
  });

  it("sends no command twice", async (t) => {
    const redis = await startRedis(t, ["--appendonly", "no"]);
    const client = new RedisClient(redis.url, 300);
    t.after(() => client.close());
    await client.command("SET", "count", 0);
    redis.signal("SIGSTOP");
    const lost = await client.command("INCR", "count").catch((err) => err);
    assert.ok(lost instanceof Error, "the command failed");
    redis.signal("SIGCONT");
    await until(() =>
      client.command("PING").then(
        () => true,
        () => false,
      ),
    );
    await sleep(100);
    // It was in the socket, and Redis may have found it there.
    assert.ok(
      Number(await client.command("GET", "count")) <= 1,
      "it was carried out more than once",
    );
  });
});

describe("Many processes, one Redis", () => {
  describe("replies", () => testReplies({ Source, ...reply }));

  it("fails at once where no Redis is", async (t) => {
    const client = new RedisClient("redis://127.0.0.1:9");
    t.after(() => client.close());
    await assert.rejects(client.command("PING"));
    await assert.rejects(client.command("PING"), /away/);
  });

  /**
   * @param {import("node:test").TestContext} t
   * @param {(socket: net.Socket) => unknown} greet
   */
  const pretend = async (t, greet) => {
    const server = net.createServer((socket) => {
      socket.on("error", () => {});
      socket.once("data", () => greet(socket));
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    t.after(() => server.close());
    const { port } = /** @type {net.AddressInfo} */ (server.address());
    return `redis://127.0.0.1:${port}`;
  };

  it("pauses when a server greets and hangs up", async (t) => {
    let count = 0;
    const url = await pretend(t, (socket) => {
      count += 1;
      socket.end("%0\r\n");
    });
    const client = new RedisClient(url);
    t.after(() => client.close());
    await sleep(1_000);
    assert.ok(
      count >= 1 && count <= 10,
      `${count} connections in a second`,
    );
    await assert.rejects(client.command("PING"), /away|ended/);
  });

  it("counts the opening in a command's deadline", async (t) => {
    const url = await pretend(t, async (socket) => {
      await sleep(400);
      socket.write("%0\r\n");
    });
    for (const database of ["", "/3"]) {
      const client = new RedisClient(url + database, 500);
      t.after(() => client.close());
      const start = performance.now();
      await assert.rejects(client.command("PING"));
      const time = performance.now() - start;
      assert.ok(time > 450 && time < 800, `it took ${time} ms`);
    }
  });

  /** @param {import("node:test").TestContext} t */
  const answer = async (t) => {
    const server = net.createServer((socket) => {
      socket.on("error", () => {});
      socket.on("data", (bytes) => {
        const isGreeting = String(bytes).includes("HELLO");
        socket.write(isGreeting ? "%0\r\n" : "+PONG\r\n");
      });
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    t.after(() => server.close());
    const { port } = /** @type {net.AddressInfo} */ (server.address());
    const client = new RedisClient(`redis://127.0.0.1:${port}`, 200);
    t.after(() => client.close());
    assert.equal(await client.command("PING"), "PONG");
    return client;
  };

  it("doesn't take our own work for a late reply", async (t) => {
    const client = await answer(t);
    for (const isSent of [false, true]) {
      const reply = client.command("PING");
      await new Promise(process.nextTick);
      if (isSent) await new Promise(setImmediate);
      const end = performance.now() + 400;
      while (performance.now() < end);
      assert.equal(await reply, "PONG", `sent before: ${isSent}`);
    }
  });

  it("goes on after a command that can't be sent", async (t) => {
    const client = await answer(t);
    const word = /** @type {any} */ (Symbol("no word"));
    await assert.rejects(client.command(word), TypeError);
    assert.equal(await client.command("PING"), "PONG");
  });

  for (const deadline of [0, -1, Number.NaN, Infinity, 2 ** 31, "1000"]) {
    it(`refuses a deadline of ${deadline}`, () => {
      const url = "redis://127.0.0.1:9";
      const options = { deadline: /** @type {any} */ (deadline) };
      for (const Store of [RedisStore, RedisLimits]) {
        assert.throws(() => new Store(url, options), {
          code: "ERR_OPTION_INVALID",
        });
      }
    });
  }

  it("takes no other server for a Redis", async (t) => {
    const { port } = await start(t, velocy, () => {});
    const client = new RedisClient(`redis://127.0.0.1:${port}`);
    t.after(() => client.close());
    await assert.rejects(client.command("PING"));
  });

  for (const url of [
    "",
    "127.0.0.1:6379",
    "http://127.0.0.1",
    undefined,
    "redis:localhost:6379",
    "redis:///0",
    "redis://:50%@127.0.0.1",
    "reddis://:hunter2@127.0.0.1",
  ]) {
    it(`refuses the address ${url}`, () => {
      assert.throws(
        () => new RedisClient(/** @type {any} */ (url)),
        (/** @type {any} */ err) => {
          assert.equal(err.code, "ERR_OPTION_INVALID");
          assert.ok(!err.message.includes("hunter2"), "shows a password");
          return true;
        },
      );
    });
  }
});

/** @param {() => Promise<boolean>} isSo */
async function until(isSo) {
  const end = performance.now() + 8_000;
  while (!(await isSo())) {
    assert.ok(performance.now() < end, "it didn't come back");
    await sleep(50);
  }
}

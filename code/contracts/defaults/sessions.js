import assert from "node:assert/strict";
import { once } from "node:events";
import net from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { it, mock } from "node:test";
import { cookiesOf, start } from "./visit.js";

const SECRETS = ["a secret of at least thirty-two bytes"];

/** @param {any} router @param {any} velocy @param {any} options */
function addSite(router, velocy, options) {
  router.use(velocy.sessions({ secrets: SECRETS, ...options }));
  router.get("/me", (/** @type {any} */ req) => ({ ...req.session }));
  router.post("/set/:name/:value", (/** @type {any} */ req) => {
    const { name, value } = req.params;
    req.session[name] = value;
    return "";
  });
  router.post("/deep", (/** @type {any} */ req) => {
    req.session.list ??= [];
    req.session.list.push(1);
    return "";
  });
  router.post(
    "/login/:user",
    async (/** @type {any} */ req, /** @type {any} */ res) => {
      await req.session.renew();
      req.session.user = req.params.user;
      return res.redirect("/me");
    },
  );
  router.post("/logout", async (/** @type {any} */ req) => {
    await req.session.destroy();
    return "";
  });
}

/**
 * What holds for sessions in any store.
 *
 * @param {any} velocy
 * @param {(t: import("node:test").TestContext, options?: any) => any} makeStore
 */
export function testSessions(velocy, makeStore) {
  /** @param {import("node:test").TestContext} t @param {any} [options] @param {(router: any) => void} [more] */
  const open = async (t, options = {}, more = () => {}) => {
    const store = await makeStore(t);
    return start(t, velocy, (router) => {
      addSite(router, velocy, { store, ...options });
      more(router);
    });
  };

  it("sets no cookie for a session that nobody wrote to", async (t) => {
    const { get } = await open(t);
    const answer = await get("/me");
    assert.equal(answer.body, "{}");
    assert.equal(answer.headers["set-cookie"], undefined);
  });

  it("keeps what was written", async (t) => {
    const { get, post } = await open(t);
    const first = await post("/set/color/red");
    assert.match(
      String(first.headers["set-cookie"]),
      /^__Host-session=[\w.-]+; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    const cookie = cookiesOf(first);
    assert.equal((await get("/me", { cookie })).body, '{"color":"red"}');
    const second = await post("/set/size/9", { cookie });
    assert.equal(second.headers["set-cookie"], undefined, "the same id");
    const { body } = await get("/me", { cookie });
    assert.deepEqual(JSON.parse(body), { color: "red", size: "9" });
  });

  it("sees a change that is deep inside", async (t) => {
    const { get, post } = await open(t);
    const cookie = cookiesOf(await post("/deep"));
    await post("/deep", { cookie });
    assert.equal((await get("/me", { cookie })).body, '{"list":[1,1]}');
  });

  it("never takes an id from the client", async (t) => {
    const { get, post } = await open(t);
    const chosen = [
      "__Host-session=abcdefghijklmnopqrstuvwx",
      "__Host-session=abcdefghijklmnopqrstuvwx.AAAA",
      "__Host-session=",
      "__Host-session=%00",
      "session=1",
    ];
    for (const cookie of chosen) {
      const answer = await post("/set/a/1", { cookie });
      const got = cookiesOf(answer);
      assert.match(got, /^__Host-session=[\w-]{24}\./);
      assert.notEqual(got.slice(0, 39), cookie.slice(0, 39));
      assert.equal((await get("/me", { cookie })).body, "{}");
    }
  });

  it("gives another id at the login, and ends the old one", async (t) => {
    const { get, post } = await open(t);
    const before = cookiesOf(await post("/set/cart/3"));
    const login = await post("/login/ada", { cookie: before });
    assert.equal(login.statusCode, 303);
    const after = cookiesOf(login);
    assert.notEqual(after, before);
    const { body } = await get("/me", { cookie: after });
    assert.deepEqual(JSON.parse(body), { cart: "3", user: "ada" });
    assert.equal((await get("/me", { cookie: before })).body, "{}");
  });

  it("ends a session at the logout, here and in the browser", async (t) => {
    const { get, post } = await open(t);
    const cookie = cookiesOf(await post("/login/ada"));
    const answer = await post("/logout", { cookie });
    assert.match(
      String(answer.headers["set-cookie"]),
      /^__Host-session=; .*Max-Age=0/,
    );
    assert.equal((await get("/me", { cookie })).body, "{}");
  });

  it("doesn't undo a logout when a slow request ends", async (t) => {
    /** @type {(() => void)[]} */
    const waiting = [];
    const wait = () =>
      new Promise((resolve) => waiting.push(() => resolve(undefined)));
    const { get, post, errors } = await open(t, {}, (router) => {
      router.post("/slow", async (/** @type {any} */ req) => {
        await wait();
        req.session.slow = true;
        return "";
      });
      router.post("/slow-login", async (/** @type {any} */ req) => {
        await wait();
        await req.session.renew();
        return "";
      });
    });
    const cookie = cookiesOf(await post("/login/ada"));
    const slow = post("/slow", { cookie });
    const slowLogin = post("/slow-login", { cookie });
    while (waiting.length < 2) await new Promise(setImmediate);
    await post("/logout", { cookie });
    for (const goOn of waiting) goOn();
    const [answer, renewed] = await Promise.all([slow, slowLogin]);
    assert.equal(answer.statusCode, 200);
    assert.equal(answer.headers["set-cookie"], undefined);
    assert.equal(renewed.statusCode, 409);
    assert.equal(renewed.headers["set-cookie"], undefined);
    assert.equal((await get("/me", { cookie })).body, "{}");
    assert.deepEqual(errors, []);
  });

  it("ends a session that isn't used", async (t) => {
    const { get, post } = await open(t, { idle: 0.5 });
    const cookie = cookiesOf(await post("/set/a/1"));
    const until = performance.now() + 900;
    while (performance.now() < until) {
      // Each use lets it live on.
      assert.equal((await get("/me", { cookie })).body, '{"a":"1"}');
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    await new Promise((resolve) => setTimeout(resolve, 700));
    assert.equal((await get("/me", { cookie })).body, "{}");
  });

  it("ends a session that is used for ever", async (t) => {
    const { get, post } = await open(t, { idle: 3600, absolute: 7200 });
    t.after(() => mock.timers.reset());
    mock.timers.enable({ apis: ["Date"], now: Date.now() });
    const cookie = cookiesOf(await post("/set/a/1"));
    for (let minutes = 0; minutes < 110; minutes += 50) {
      mock.timers.tick(50 * 60 * 1000 - 1);
      const isOver = minutes > 70;
      const { body } = await get("/me", { cookie });
      assert.equal(body, isOver ? "{}" : '{"a":"1"}', `${minutes}`);
    }
  });

  it("keeps fields with the names of ours, and no prototype", async (t) => {
    const { get, post, errors } = await open(t);
    const cookie = cookiesOf(await post("/set/__proto__/x"));
    await post("/set/toString/y", { cookie });
    await post("/set/constructor/w", { cookie });
    const { body } = await get("/me", { cookie });
    const kept = '{"__proto__":"x","toString":"y","constructor":"w"}';
    assert.equal(body, kept);
    assert.equal(/** @type {any} */ ({}).x, undefined);
    assert.equal((await post("/set/renew/z", { cookie })).statusCode, 500);
    assert.equal(errors.length, 1);
  });

  it("fails for what can't be kept, and sends no half of it", async (t) => {
    const { get, errors } = await open(t, {}, (router) => {
      router.get(
        "/bigint",
        (/** @type {any} */ req, /** @type {any} */ res) => {
          req.session.n = 1n;
          res.end("secret");
        },
      );
      router.get("/large", (/** @type {any} */ req) => {
        req.session.text = "x".repeat(70_000);
        return "secret";
      });
      router.get("/wide", (/** @type {any} */ req) => {
        // Three bytes each.
        req.session.text = "雪".repeat(30_000);
        return "secret";
      });
    });
    for (const path of ["/bigint", "/large", "/wide"]) {
      const answer = await get(path);
      assert.equal(answer.statusCode, 500);
      assert.equal(answer.body, "Internal Server Error\n");
      assert.equal(answer.headers["set-cookie"], undefined);
    }
    assert.equal(errors[1].code, "ERR_SESSION_LARGE");
    assert.equal(errors[2].code, "ERR_SESSION_LARGE");
  });

  // RFC 9111, sections 5.2.2.4 and 5.2.2.7.
  it("keeps answers with a session out of shared caches", async (t) => {
    const { get, post } = await open(t, {}, (router) => {
      router.get(
        "/own",
        (/** @type {any} */ _req, /** @type {any} */ res) => {
          res.setHeader("cache-control", "max-age=60");
          return "";
        },
      );
      router.get("/fails", () => {
        throw new Error("a bug");
      });
    });
    const login = await post("/login/ada");
    const cookie = cookiesOf(login);
    /** @type {[answer: any, field: string | undefined][]} */
    const cases = [
      [login, "private, no-cache"],
      [await get("/me", { cookie }), "private, no-cache"],
      [await get("/fails", { cookie }), "private, no-cache"],
      [await get("/own", { cookie }), "max-age=60"],
      [await get("/me"), undefined],
    ];
    for (const [{ headers }, field] of cases) {
      assert.equal(headers["cache-control"], field);
    }
  });

  it("gives nobody else a cookie, whatever a handler says of caches", async (t) => {
    const { get, post } = await open(t, {}, (router) => {
      router.all(
        "/caches",
        async (/** @type {any} */ req, /** @type {any} */ res) => {
          res.setHeader("cache-control", req.queryParams.get("field"));
          req.session.a = 1;
          if (req.method === "POST") await req.session.destroy();
          return "";
        },
      );
    });
    const cases = [
      ["public", "private"],
      ["public, max-age=60", "private, max-age=60"],
      ["max-age=60 , S-MaxAge=600", "private, max-age=60"],
      ["Private, max-age=60", "Private, max-age=60"],
      ["no-store", "no-store"],
    ];
    for (const [said, sent] of cases) {
      const path = `/caches?field=${encodeURIComponent(said)}`;
      const first = await get(path);
      assert.ok(first.headers["set-cookie"], "no cookie");
      assert.equal(first.headers["cache-control"], sent);
      const last = await post(path, { cookie: cookiesOf(first) });
      assert.match(String(last.headers["set-cookie"]), /Max-Age=0/);
      assert.equal(last.headers["cache-control"], sent);
    }
  });

  // RFC 9110, sections 10.2.3 and 15.6.4.
  it("answers 503 when the store has something that is no session", async (t) => {
    const store = await makeStore(t);
    const { get, post } = await start(t, velocy, (router) => {
      addSite(router, velocy, { store });
    });
    const cookie = cookiesOf(await post("/set/a/1"));
    const id = cookie.slice(cookie.indexOf("=") + 1).split(".")[0];
    const bad = ["[1,{", "5", "null", '"ab"', "[1]", '["a",{}]', "[1,[]]"];
    for (const text of bad) {
      await store.replace(id, text, 1000);
      assert.equal((await get("/me", { cookie })).statusCode, 503, text);
    }
  });

  it("leaves the cookie to the browser when the logout fails", async (t) => {
    const store = await makeStore(t);
    const { get, post } = await start(t, velocy, (router) => {
      addSite(router, velocy, { store });
    });
    const cookie = cookiesOf(await post("/login/ada"));
    store.remove = () => Promise.reject(new Error("no store"));
    const failed = await post("/logout", { cookie });
    assert.equal(failed.statusCode, 503);
    assert.equal(failed.headers["set-cookie"], undefined);
    delete store.remove;
    assert.equal((await get("/me", { cookie })).body, '{"user":"ada"}');
    const { headers } = await post("/logout", { cookie });
    assert.match(String(headers["set-cookie"]), /Max-Age=0/);
    assert.equal((await get("/me", { cookie })).body, "{}");
  });

  it("has the browser forget a session that is destroyed and renewed", async (t) => {
    const { post } = await open(t, {}, (router) => {
      router.post("/both", async (/** @type {any} */ req) => {
        await req.session.destroy();
        await req.session.renew();
        return "";
      });
    });
    const cookie = cookiesOf(await post("/login/ada"));
    const { statusCode, headers } = await post("/both", { cookie });
    assert.equal(statusCode, 409);
    assert.match(String(headers["set-cookie"]), /Max-Age=0/);
  });

  for (const options of [
    { idle: 604_800_000 },
    { absolute: 604_800_000 },
    { idle: 0 },
    { idle: "60" },
    { store: { read() {} } },
    { store: null },
  ]) {
    it(`refuses ${JSON.stringify(options)}`, async (t) => {
      const store = await makeStore(t);
      const all = { secrets: SECRETS, store, ...options };
      assert.throws(() => velocy.sessions(all), {
        code: "ERR_OPTION_INVALID",
      });
    });
  }

  it("knows sessions of an older secret", async (t) => {
    const store = await makeStore(t);
    const older = "an older secret, of thirty-two bytes";
    const one = await start(t, velocy, (router) => {
      addSite(router, velocy, { store, secrets: [older] });
    });
    const two = await start(t, velocy, (router) => {
      addSite(router, velocy, { store, secrets: [...SECRETS, older] });
    });
    const cookie = cookiesOf(await one.post("/set/a/1"));
    assert.equal((await two.get("/me", { cookie })).body, '{"a":"1"}');
  });
}

/** A store that does nothing until it is told. */
class SlowStore {
  /** @type {{ text: string, resolve: (value?: any) => void, reject: (err: any) => void }[]} */
  adds = [];
  async read() {
    return null;
  }
  /** @param {string} _id @param {string} text */
  add(_id, text) {
    return new Promise((resolve, reject) =>
      this.adds.push({ text, resolve, reject }),
    );
  }
  async replace() {
    return true;
  }
  async remove() {
    return true;
  }
}

/** @type {Record<string, (res: any) => unknown>} */
const WAYS = {
  "is returned": () => "hello",
  "is ended": (res) => void res.end("hello"),
  "is ended with a head": (res) =>
    void res
      .writeHead(200, { "x-a": "1", "set-cookie": "b=2" })
      .end("hello"),
  "is written": (res) => {
    res.write("hel");
    res.write("lo");
    res.end();
  },
  "is flushed": (res) => {
    res.flushHeaders();
    res.end("hello");
  },
  "is json": (res) => void res.json("hello"),
  "is written when there is room": async (res) => {
    if (!res.write("hel")) await once(res, "drain");
    res.end("lo");
  },
  "is piped": (res) => pipeline(Readable.from(["hel", "lo"]), res),
  "is iterated": async function* hello() {
    yield "hel";
    yield "lo";
  },
};

const ORDERS = [
  ["compress", "sessions"],
  ["sessions", "compress"],
];

const PARTS = Array(100).fill("hello ".repeat(1000));

/** @type {Record<string, (res: any) => unknown>} */
const STREAMED = {
  "written and waited": async (res) => {
    for (const part of PARTS) {
      if (!res.write(part)) await once(res, "drain");
    }
    res.end();
  },
  "piped a stream": (res) => pipeline(Readable.from(PARTS), res),
};

/**
 * Handlers that wait for what they have sent.
 *
 * @type {Record<string, (res: any) => unknown>}
 */
const WAITING = {
  "pipes a stream": STREAMED["piped a stream"],
  "writes when there is room": STREAMED["written and waited"],
  "returns a stream": () => Readable.from(PARTS),
  "waits for the end": async (res) => {
    res.end(PARTS.join(""));
    await once(res, "finish");
  },
  "waits for a callback": (res) =>
    new Promise((resolve) => {
      res.end("hello", resolve);
    }),
};

/**
 * Handlers that answer when their signal tells them to stop.
 *
 * @type {Record<string, (res: any) => unknown>}
 */
const STOPPING = {
  "ends what it has begun": (res) => {
    res.write("part one");
    const { signal } = res.req;
    signal.addEventListener("abort", () => res.end("stopped"));
  },
  "awaits it, and ends": async (res) => {
    res.write("part one");
    await once(res.req.signal, "abort");
    res.end("stopped");
  },
  "writes on": async (res) => {
    res.write("part one");
    const { signal } = res.req;
    signal.addEventListener("abort", () => res.write("part two"));
    await once(signal, "abort");
    res.end("stopped");
  },
};

/** @param {number} milliseconds @param {Promise<any>} promise */
async function within(milliseconds, promise) {
  /** @type {any} */
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(reject, milliseconds, new Error("it hangs"));
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/**
 * What is sent before a session is saved: nothing.
 *
 * @param {any} velocy
 */
export function testHeldAnswers(velocy) {
  for (const [name, way] of Object.entries(WAYS)) {
    it(`holds back an answer that ${name} until it is saved`, async (t) => {
      const { answer, store, errors } = await hold(t, way);
      let isThere = false;
      answer.then(() => {
        isThere = true;
      });
      await new Promise((resolve) => setTimeout(resolve, 50));
      assert.equal(isThere, false);
      store.adds[0].resolve(true);
      const { statusCode, body, headers } = await answer;
      assert.equal(statusCode, 200);
      assert.equal(body.replaceAll('"', ""), "hello");
      assert.ok(
        headers["set-cookie"]?.some((line) =>
          line.startsWith("__Host-session="),
        ),
        "no cookie of the session",
      );
      assert.deepEqual(errors, []);
    });

    it(`answers 503 in its place when an answer that ${name} can't be saved`, async (t) => {
      const { answer, store, errors } = await hold(t, way);
      store.adds[0].reject(new Error("no store"));
      const { statusCode, body, headers } = await answer;
      assert.equal(statusCode, 503);
      assert.ok(!body.includes("hello"), "a part of the answer was sent");
      assert.equal(headers["retry-after"], "1");
      assert.equal(headers["set-cookie"], undefined);
      assert.equal(errors[0].cause.message, "no store");
    });
  }

  it("compresses what it has held back", async (t) => {
    for (const order of ORDERS) {
      const store = new SlowStore();
      const { get } = await start(t, velocy, (router) => {
        for (const each of order) {
          const options =
            each === "sessions" ? { secrets: SECRETS, store } : {};
          router.use(velocy[each](options));
        }
        router.get("/", (/** @type {any} */ req) => {
          req.session.a = 1;
          return "hello ".repeat(1000);
        });
      });
      const answer = get("/", { "accept-encoding": "gzip" });
      while (store.adds.length === 0) await new Promise(setImmediate);
      store.adds[0].resolve(true);
      const { headers, body } = await answer;
      assert.equal(headers["content-encoding"], "gzip", order.join());
      assert.ok(
        body.length > 20 && body.length < 1000,
        "the length is not that of the packed text",
      );
      assert.ok(headers["set-cookie"], "no cookie of the session");
    }
  });

  for (const order of ORDERS) {
    for (const [name, way] of Object.entries(STREAMED)) {
      it(`wakes whoever has ${name}, with ${order.join(" around ")}`, async (t) => {
        const store = new SlowStore();
        const { get, errors } = await start(t, velocy, (router) => {
          for (const each of order) {
            const options =
              each === "sessions" ? { secrets: SECRETS, store } : {};
            router.use(velocy[each](options));
          }
          router.get(
            "/",
            (/** @type {any} */ req, /** @type {any} */ res) => {
              req.session.a = 1;
              res.setHeader("content-type", "text/plain");
              return way(res);
            },
          );
        });
        const answer = get("/", { "accept-encoding": "gzip" });
        while (store.adds.length === 0) await new Promise(setImmediate);
        store.adds[0].resolve(true);
        const { headers, body } = await within(2_000, answer);
        assert.equal(headers["content-encoding"], "gzip");
        assert.ok(headers["set-cookie"], "no cookie of the session");
        assert.ok(body.length > 20, "nothing came");
        assert.deepEqual(errors, []);
      });
    }
  }

  for (const inner of [[], ["compress"]]) {
    for (const [name, way] of Object.entries(WAITING)) {
      it(`gives the error's answer alone when a handler that ${name} can't be saved, around ${inner[0] ?? "nothing"}`, async (t) => {
        const store = new SlowStore();
        const { get, errors } = await start(t, velocy, (router) => {
          router.use(velocy.sessions({ secrets: SECRETS, store }));
          for (const each of inner) router.use(velocy[each]());
          router.onError(async () => {
            await new Promise((resolve) => setTimeout(resolve, 50));
            return "sorry";
          });
          router.get(
            "/",
            (/** @type {any} */ req, /** @type {any} */ res) => {
              req.session.a = 1;
              res.setHeader("content-type", "text/plain");
              return way(res);
            },
          );
        });
        const known = velocy.signer(SECRETS).sign("__Host-session", "a");
        const keepAlive = { connection: "keep-alive" };
        const coding = { "accept-encoding": "gzip" };
        for (const fields of [{}, { cookie: `__Host-session=${known}` }]) {
          const answer = get("/", { ...fields, ...keepAlive, ...coding });
          while (store.adds.length === 0) await new Promise(setImmediate);
          store.adds.pop()?.reject(new Error("no store"));
          const { statusCode, headers, body } = await within(2_000, answer);
          assert.equal(statusCode, 503);
          assert.equal(body, "sorry");
          assert.equal(headers["set-cookie"], undefined);
          assert.equal(headers["content-encoding"], undefined);
          assert.equal(headers.connection, "close");
        }
        // What the handler does then is nobody's business.
        await new Promise((resolve) => setTimeout(resolve, 100));
        assert.deepEqual(errors, []);
      });
    }
  }

  it("answers 503 however soon after the handler the saving fails", async (t) => {
    let turns = 0;
    const store = new SlowStore();
    store.read = async () => /** @type {any} */ (`[${Date.now()},{}]`);
    store.replace = async () => {
      for (let i = 0; i < turns; i += 1) await null;
      throw new Error("no store");
    };
    const { get } = await start(t, velocy, (router) => {
      router.use(velocy.sessions({ secrets: SECRETS, store }));
      router.get(
        "/",
        async (/** @type {any} */ req, /** @type {any} */ res) => {
          req.session.a = 1;
          res.write("part one");
          // The saving fails before, while and after this promise settles.
          for (let i = 0; i < 10; i += 1) await null;
        },
      );
    });
    const known = velocy.signer(SECRETS).sign("__Host-session", "a");
    const fields = { cookie: `__Host-session=${known}` };
    for (turns = 0; turns < 20; turns += 1) {
      const { statusCode } = await within(2_000, get("/", fields));
      assert.equal(statusCode, 503, `after ${turns} turns`);
    }
  });

  it("calls the handler back when its answer can't be saved", async (t) => {
    /** @type {unknown} */
    let told;
    const { answer, store } = await hold(t, (res) => {
      res.end("hello", (/** @type {unknown} */ err) => {
        told = err;
      });
    });
    store.adds[0].reject(new Error("no store"));
    assert.equal((await answer).statusCode, 503);
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal(/** @type {any} */ (told)?.cause.message, "no store");
  });

  it("calls the handler back when its answer can't be sent", async (t) => {
    /** @type {unknown} */
    let told;
    const { answer, store } = await hold(t, (res) => {
      res.writeHead(99);
      res.end("hello", (/** @type {unknown} */ err) => {
        told = err;
      });
    });
    store.adds[0].resolve(true);
    const { statusCode, body } = await answer;
    assert.equal(statusCode, 500);
    assert.ok(!body.includes("hello"), "a part of the answer was sent");
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal(/** @type {any} */ (told)?.code, "ERR_STATUS_INVALID");
  });

  it("calls the handler back when the client has left before", async (t) => {
    /** @type {any} */
    let response;
    /** @type {unknown} */
    let told;
    const store = new SlowStore();
    const { port } = await start(t, velocy, (router) => {
      router.use(velocy.sessions({ secrets: SECRETS, store }));
      router.get("/", (/** @type {any} */ req, /** @type {any} */ res) => {
        req.session.a = 1;
        response = res;
        res.end("hello", (/** @type {unknown} */ err) => {
          told = err;
        });
      });
    });
    const client = net.connect(port, "127.0.0.1");
    client.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    while (store.adds.length === 0) await new Promise(setImmediate);
    const closed = once(response, "close");
    client.destroy();
    await closed;
    store.adds[0].reject(new Error("no store"));
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal(/** @type {any} */ (told)?.cause.message, "no store");
  });

  it("tells the handler by its signal", async (t) => {
    /** @type {any} */
    let signal;
    const { answer, store } = await hold(t, (res) => {
      signal = res.req.signal;
      res.end("hello");
    });
    assert.equal(signal.aborted, false);
    store.adds[0].reject(new Error("no store"));
    assert.equal((await answer).statusCode, 503);
    assert.equal(signal.aborted, true);
  });

  for (const [name, way] of Object.entries(STOPPING)) {
    for (const isSlow of [false, true]) {
      it(`answers 503 alone when a handler ${name} at its signal, with an error handler that is ${isSlow ? "slow" : "quick"}`, async (t) => {
        const store = new SlowStore();
        const { get, errors } = await start(t, velocy, (router) => {
          router.use(velocy.sessions({ secrets: SECRETS, store }));
          router.onError(async () => {
            if (isSlow) await new Promise((go) => setTimeout(go, 50));
            return "sorry";
          });
          router.get(
            "/",
            (/** @type {any} */ req, /** @type {any} */ res) => {
              req.session.a = 1;
              return way(res);
            },
          );
        });
        const answer = get("/");
        while (store.adds.length === 0) await new Promise(setImmediate);
        store.adds[0].reject(new Error("no store"));
        const { statusCode, body } = await within(2_000, answer);
        assert.equal(statusCode, 503);
        assert.equal(body, "sorry");
        await new Promise((resolve) => setTimeout(resolve, 50));
        assert.deepEqual(errors, []);
      });
    }
  }

  it("takes undefined for a session that isn't there", async (t) => {
    const store = new SlowStore();
    store.read = async () => /** @type {any} */ (undefined);
    const { get } = await start(t, velocy, (router) => {
      router.use(velocy.sessions({ secrets: SECRETS, store }));
      router.get("/", (/** @type {any} */ req) => ({ ...req.session }));
    });
    const known = velocy.signer(SECRETS).sign("__Host-session", "a");
    const { body } = await get("/", { cookie: `__Host-session=${known}` });
    assert.equal(body, "{}");
  });

  it("tells of a value behind an answer that is held back", async (t) => {
    const { answer, store, errors } = await hold(t, (res) => {
      res.end("hello");
      return "again";
    });
    store.adds[0].resolve(true);
    assert.equal((await answer).body, "hello");
    assert.deepEqual(
      errors.map(({ code }) => code),
      ["ERR_ANSWERED"],
    );
  });

  /** @param {import("node:test").TestContext} t @param {(res: any) => unknown} way */
  async function hold(t, way) {
    const store = new SlowStore();
    const { get, errors } = await start(t, velocy, (router) => {
      router.use(velocy.sessions({ secrets: SECRETS, store }));
      router.get("/", (/** @type {any} */ req, /** @type {any} */ res) => {
        req.session.a = 1;
        return way(res);
      });
    });
    const answer = get("/");
    while (store.adds.length === 0) await new Promise(setImmediate);
    return { answer, store, errors };
  }
}

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import {
  closeGracefully,
  createServer,
  health,
  inject,
  Router,
} from "../index.js";

/** @param {any} [checks] @param {any} [options] */
function serverWith(checks, options) {
  const router = new Router();
  const { alive, ready } = health(checks, options);
  router.get("/healthz", alive);
  router.get("/readyz", ready);
  return createServer(router);
}

const ready = { target: "/readyz" };
const alive = { target: "/healthz" };

describe("Ready, or alive", () => {
  it("is ready when all checks pass, and says which", async () => {
    const server = serverWith({ a: () => true, b: async () => {} });
    const answer = await inject(server, ready);
    assert.equal(answer.statusCode, 200);
    assert.equal(answer.headers["cache-control"], "no-store");
    const checks = { a: "ok", b: "ok" };
    assert.deepEqual(answer.json(), { status: "ready", checks });
  });

  for (const [name, check, result] of /** @type {any[]} */ ([
    ["throws", () => assert.fail("a secret"), "failed"],
    ["rejects", async () => assert.fail("a secret"), "failed"],
    ["gives false", () => false, "failed"],
    ["gives a promise of false", async () => false, "failed"],
    ["takes too long", () => new Promise(() => {}), "late"],
  ])) {
    it(`isn't ready when a check ${name}, and is alive`, async () => {
      const options = { timeout: 50, onError: () => {} };
      const server = serverWith({ a: () => true, check }, options);
      for (let i = 0; i < 2; i += 1) {
        const answer = await inject(server, ready);
        assert.equal(answer.statusCode, 503);
        const checks = { a: "ok", check: result };
        assert.deepEqual(answer.json(), { status: "not ready", checks });
      }
      assert.equal((await inject(server, alive)).statusCode, 200);
    });
  }

  it("tells why a check failed, and nobody who asks", async () => {
    /** @type {any[]} */
    const told = [];
    const onError = (/** @type {any} */ err, /** @type {string} */ name) =>
      told.push([name, err.message]);
    const store = () => assert.fail("a secret");
    const late = (/** @type {any} */ { signal }) =>
      sleep(5000, undefined, { signal });
    const checks = { store, late, off: () => false };
    const server = serverWith(checks, { timeout: 50, onError });
    const answer = await inject(server, ready);
    assert.equal(answer.json().checks.store, "failed");
    assert.doesNotMatch(answer.text(), /secret/);
    await sleep(20);
    assert.deepEqual(told, [["store", "a secret"]]);
  });

  it("tells it by a warning unless somebody wants to know", async (t) => {
    const warned = t.mock.method(process, "emitWarning", () => {});
    const store = () => assert.fail("a secret");
    await inject(serverWith({ store }), ready);
    const said = warned.mock.calls.map((call) => call.arguments[0]);
    assert.deepEqual(said, ["the check store: a secret"]);
  });

  it("is ready again when its check passes again", async () => {
    let isUp = false;
    const check = () => {
      if (!isUp) throw new Error("down");
    };
    const server = serverWith({ check }, { onError: () => {} });
    assert.equal((await inject(server, ready)).statusCode, 503);
    isUp = true;
    assert.equal((await inject(server, ready)).statusCode, 200);
  });

  it("is ready again when its check has hung, and passes then", async () => {
    let runs = 0;
    const check = () => {
      runs += 1;
      return runs === 1 ? new Promise(() => {}) : true;
    };
    const server = serverWith({ check }, { timeout: 50 });
    const asks = [inject(server, ready), inject(server, ready)];
    for (const answer of await Promise.all(asks)) {
      assert.deepEqual(answer.json().checks, { check: "late" });
    }
    assert.equal(runs, 1);
    const answer = await inject(server, ready);
    assert.deepEqual(answer.json().checks, { check: "ok" });
  });

  it("says late of a check that ends by its signal, too", async () => {
    const check = (/** @type {any} */ { signal }) =>
      sleep(5000, undefined, { signal });
    const server = serverWith({ check }, { timeout: 50 });
    const answer = await inject(server, ready);
    assert.deepEqual(answer.json().checks, { check: "late" });
  });

  it("runs a check once for all who ask meanwhile", async () => {
    let runs = 0;
    const check = async () => {
      runs += 1;
      await sleep(50);
    };
    const server = serverWith({ check });
    const asks = Array.from({ length: 20 }, () => inject(server, ready));
    for (const { statusCode } of await Promise.all(asks)) {
      assert.equal(statusCode, 200);
    }
    assert.equal(runs, 1);
    await inject(server, ready);
    assert.equal(runs, 2);
  });

  it("tells a check by its signal that its time is over", async () => {
    /** @type {any} */
    let given;
    const check = (/** @type {any} */ options) => {
      given = options.signal;
      return new Promise(() => {});
    };
    await inject(serverWith({ check }, { timeout: 20 }), ready);
    await sleep(50);
    assert.equal(given.aborted, true);
  });

  it("isn't ready from the moment when it is told to close, and is alive", async () => {
    let runs = 0;
    const check = () => {
      runs += 1;
    };
    const server = serverWith({ check });
    const closed = closeGracefully(server, { notice: 100, deadline: 200 });
    const answer = await inject(server, ready);
    assert.equal(answer.statusCode, 503);
    assert.deepEqual(answer.json(), { status: "leaving" });
    assert.equal((await inject(server, alive)).statusCode, 200);
    assert.equal(runs, 0);
    await closed;
  });

  it("says that it leaves, also when it was told so while a check ran", async () => {
    let begin = () => {};
    const begun = /** @type {Promise<void>} */ (
      new Promise((resolve) => {
        begin = resolve;
      })
    );
    const check = async () => {
      begin();
      await sleep(100);
    };
    const server = serverWith({ check });
    const answer = inject(server, ready);
    await begun;
    const closed = closeGracefully(server, { notice: 150, deadline: 300 });
    const { statusCode } = await answer;
    assert.equal(statusCode, 503);
    assert.deepEqual((await answer).json(), { status: "leaving" });
    await closed;
  });

  it("refuses what it can't use", () => {
    for (const [args, code] of /** @type {any[]} */ ([
      [[null], "ERR_OPTIONS_INVALID"],
      [[{ a: 1 }], "ERR_OPTION_INVALID"],
      [[{}, { timout: 1 }], "ERR_OPTION_UNKNOWN"],
      [[{}, { timeout: 0 }], "ERR_OPTION_INVALID"],
      [[{}, { timeout: Infinity }], "ERR_OPTION_INVALID"],
      [[{}, { onError: 1 }], "ERR_OPTION_INVALID"],
    ])) {
      assert.throws(() => health(...args), { code });
    }
  });
});

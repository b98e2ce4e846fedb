import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { compute, testShedding } from "../../contracts/running/overload.js";
import * as velocy from "../index.js";
import { Gate } from "../lib/running/gate.js";
import { Loop } from "../lib/running/loop.js";

describe("A look before handlers run", () => {
  it("knows whether the loop has had nothing to do", async () => {
    const loop = new Loop();
    // A busy machine may take a while between two lines, but not 25 ms.
    const isBehind = () => loop.behind(performance.now()) > 25;
    // On one, a timer may be due before the loop has come to waiting.
    const { idleTime } = performance.nodeTiming;
    for (let i = 0; i < 100; i += 1) {
      await sleep(20);
      if (performance.nodeTiming.idleTime - idleTime > 1) break;
    }
    assert.equal(isBehind(), false);
    compute(50);
    assert.equal(isBehind(), true);
    await new Promise((resolve) => loop.turn(5, () => resolve(undefined)));
    assert.equal(isBehind(), false);
  });

  it("turns until nothing new has come in two turns", async () => {
    const loop = new Loop();
    let news = 5;
    let turns = 0;
    const come = () => {
      turns += 1;
      if (news === 0) return;
      news -= 1;
      loop.tell();
      setImmediate(come);
    };
    setImmediate(come);
    await new Promise((resolve) =>
      loop.turn(5000, () => resolve(undefined)),
    );
    assert.equal(news, 0);
    assert.ok(turns >= 5, `${turns} turns`);
  });

  it("doesn't look for longer than it is told", async () => {
    const loop = new Loop();
    const start = performance.now();
    const timer = setInterval(() => loop.tell(), 1);
    const come = () => {
      loop.tell();
      immediate = setImmediate(come);
    };
    let immediate = setImmediate(come);
    await new Promise((resolve) => loop.turn(20, () => resolve(undefined)));
    clearInterval(timer);
    clearImmediate(immediate);
    const time = performance.now() - start;
    assert.ok(time >= 19, `${time} ms`);
  });

  it("serves who waits, and refuses who is too many or too old", async () => {
    const gate = new Gate({ concurrent: 100, age: 300, waiting: 3 });
    /** @type {string[]} */
    const said = [];
    for (const name of ["B", "C", "D", "E"]) {
      gate.wait({
        start: () => {
          compute(200);
          said.push(`${name} is served`);
          gate.leave();
        },
        refuse: () => said.push(`${name} is refused`),
      });
    }
    while (said.length < 4) await sleep(5);
    assert.deepEqual(said, [
      "B is refused",
      "C is served",
      "D is served",
      "E is refused",
    ]);
  });
});

describe("Who must get through", () => {
  testShedding(velocy);

  it("has its place back when it has left before the gate", async () => {
    const client = new AbortController();
    const router = new velocy.Router();
    const guard = velocy.shed({ concurrent: 1 });
    let running = -1;
    /** @param {any} _req @param {any} res @param {any} next */
    const outer = async (_req, res, next) => {
      const closed = new Promise((resolve) => res.once("close", resolve));
      client.abort();
      await closed;
      // Meanwhile the loop is idle, so the gate lets it in at once.
      await sleep(20);
      await next();
      running = guard.counts.running;
    };
    router.use(outer);
    router.use(guard);
    let handled = 0;
    router.get("/", () => {
      handled += 1;
    });
    const { signal } = client;
    await assert.rejects(velocy.inject(router, { signal }));
    while (running === -1) await sleep(1);
    assert.equal(running, 0);
    assert.equal(handled, 1, "it came by the way without a line");
  });

  it("keeps its place until it is answered, if its promise says nothing", async () => {
    const router = new velocy.Router();
    const guard = velocy.shed({ concurrent: 1 });
    router.use(guard);
    /** @type {any[]} */
    const begun = [];
    /** @param {any} _req @param {any} res */
    const handle = async (_req, res) => {
      begun.push(res);
    };
    router.get("/", handle);
    const asked = velocy.inject(router);
    while (begun.length === 0) await sleep(1);
    await sleep(5);
    assert.equal(guard.counts.running, 1);
    begun[0].text("done");
    assert.equal(guard.counts.running, 0);
    assert.equal((await asked).text(), "done");
  });

  it("isn't said by a promise", async () => {
    const router = new velocy.Router();
    const always = /** @type {any} */ (async () => false);
    router.use(velocy.shed({ always }));
    router.get("/", () => "done");
    /** @type {any[]} */
    const errors = [];
    const onError = (/** @type {any} */ err) => errors.push(err);
    const server = velocy.createServer(router, { onError });
    const { statusCode } = await velocy.inject(server);
    assert.equal(statusCode, 500);
    assert.deepEqual(
      errors.map(({ code }) => code),
      ["ERR_OPTION_INVALID"],
    );
  });
});

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { after, describe, it } from "node:test";
import { promisify } from "node:util";
import { connectionsFor, judgeRate } from "../../benchmarks/lib/measure-rates.js";
import { AnswerReader } from "../../benchmarks/lib/open-load/answer-reader.js";
import { OpenLoop } from "../../benchmarks/lib/open-load/open-loop.js";
import { percentileOf, report, shareAbove } from "../../benchmarks/lib/open-load/report.js";
import { Ring } from "../../benchmarks/lib/open-load/ring.js";
import { openLoadCommand, parseOpenLoad, warmUpOf } from "../../benchmarks/lib/open-load.js";

/** @import { Connection } from "../../benchmarks/lib/open-load/open-loop.js" */

const tick = 0.05;

/**
 * Plays a run in a time of its own: the server answers at once, but not in the
 * first milliseconds of each second, and the generator looks at its clock once
 * in a tick, but for a pause.
 *
 * @param {object} run
 * @param {number} run.rate
 * @param {number} run.seconds
 * @param {number} run.connections
 * @param {number} [run.stall] milliseconds of each second
 * @param {{ from: number, to: number }} [run.pause] milliseconds
 */
function play({ rate, seconds, connections, stall = 0, pause = { from: 0, to: 0 } }) {
  let now = 0;
  const loop = new OpenLoop({ rate, seconds, connections, now: () => now });
  /** @type {{ connection: Connection, number: number }[]} */
  const underWay = [];
  let most = 0;
  for (let index = 0; index < connections; index++) {
    /** @type {Connection} */
    const connection = {
      isOpen: true,
      isFree: false,
      send: (number) => underWay.push({ connection, number }),
    };
    loop.release(connection);
  }
  loop.start(0);
  for (let step = 0; !loop.isOver; step++) {
    now = step * tick;
    if (now >= pause.from && now < pause.to) continue;
    loop.turn();
    most = Math.max(most, underWay.length);
    const isStalled = now % 1000 < stall - tick / 2;
    while (!isStalled && underWay.length > 0) {
      const [{ connection, number }] = underWay.splice(0, 1);
      loop.answer(number);
      loop.release(connection);
    }
  }
  const errors = { connect: 0, read: 0, status: 0, unreadable: [] };
  const all = { loop, rate, seconds, start: 0, connections: [], errors, idle: 0, elapsed: now };
  return { loop, most, result: report(all) };
}

/** @param {number} value @param {number} expected @param {number} tolerance */
function assertNear(value, expected, tolerance) {
  assert.ok(Math.abs(value - expected) <= tolerance, `${value}, not ${expected}`);
}

describe("requests by a clock", () => {
  // Who asks in the first 80 ms of a stall of 100 waits for more than 20.
  for (const connections of [64, 256, 1000]) {
    it(`are timed from when they were due, with ${connections} connections`, () => {
      const { result, most } = play({ rate: 10_000, seconds: 3, connections, stall: 100 });
      assertNear(result.above[20], 0.08, 0.001);
      assertNear(result.above[50], 0.05, 0.001);
      assert.equal(result.above[100], 0);
      assert.equal(most, connections);
      assertNear(result.latency.max, 100, 0.2);
    });
  }

  it("tell how many had to wait for a connection", () => {
    const { loop } = play({ rate: 10_000, seconds: 2, connections: 256, stall: 100 });
    assertNear(loop.waited, 2 * (1000 - 256), 4);
    assert.equal(play({ rate: 1000, seconds: 2, connections: 256, stall: 100 }).loop.waited, 0);
  });

  it("are all sent, none before its time", () => {
    const { loop, result } = play({ rate: 700, seconds: 2, connections: 3 });
    assert.equal(loop.total, 1400);
    assert.equal(loop.answered, 1400);
    assert.ok(loop.lateness.every((late) => late >= 0 && late <= tick + 1e-9));
    assertNear(result.answeredPerSecond, 700, 1);
  });

  it("say how late they were when the generator itself was held up", () => {
    const { result } = play({
      ...{ rate: 1000, seconds: 2, connections: 100 },
      pause: { from: 500, to: 550 },
    });
    assertNear(result.sending.max, 50, 0.1);
    assertNear(result.sending.p99, 30, 1.1);
    // It is in the latencies too: nobody who asks knows whose fault it was.
    assertNear(result.latency.max, 50, 0.1);
  });

  it("don't go over a connection that was closed until it is open again", () => {
    let now = 0;
    const loop = new OpenLoop({ rate: 1000, seconds: 1, connections: 1, now: () => now });
    /** @type {number[]} */
    const sent = [];
    /** @type {Connection} */
    const connection = { isOpen: true, isFree: false, send: (number) => sent.push(number) };
    loop.release(connection);
    loop.start(0);
    connection.isOpen = false;
    loop.turn();
    now = 5;
    loop.turn();
    assert.deepEqual(sent, []);
    connection.isOpen = true;
    loop.release(connection);
    assert.deepEqual(sent, [0]);
    loop.answer(0);
    assert.equal(loop.latencies[0], 5);
  });
});

describe("a rate", () => {
  const kept = { offeredPerSecond: 1000, achievedPerSecond: 1000, generatorBusy: 0.5 };
  for (const [
    verdict,
    run,
  ] of /** @type {[string, Partial<Parameters<typeof judgeRate>[0]>][]} */ ([
    ["kept", { lateness: 0.2 }],
    ["kept", { lateness: 0.2, generatorBusy: 0.95 }],
    ["lagged", { lateness: 1.1 }],
    ["generator-bound", { lateness: 1.1, generatorBusy: 0.95 }],
    ["not kept", { lateness: 0.2, achievedPerSecond: 980 }],
    ["kept", {}],
    ["generator-bound", { generatorBusy: 0.95 }],
    ["not kept", { achievedPerSecond: 980 }],
  ])) {
    it(`is ${verdict} with ${JSON.stringify(run)}`, () => {
      assert.equal(judgeRate({ ...kept, ...run }), verdict);
    });
  }

  it("has a connection for each request that falls due in the longest stall", () => {
    assert.equal(connectionsFor(30_000, 256), 3000);
    assert.equal(connectionsFor(500, 256), 256);
  });
});

describe("the reader of answers", () => {
  const body = '{"name":"testing"}';
  const answer = `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\nX: y\r\n\r\n${body}`;
  const take = (/** @type {AnswerReader} */ reader, /** @type {string} */ text) => {
    // More than what has come is what came before, as in the memory of a socket.
    const memory = Buffer.from(text + answer + answer, "latin1");
    return reader.take(memory, Buffer.byteLength(text, "latin1"));
  };

  it("finds the end of an answer wherever it is cut", () => {
    for (let cut = 1; cut < answer.length; cut++) {
      const reader = new AnswerReader();
      assert.equal(take(reader, answer.slice(0, cut)), false, `cut at ${cut}`);
      assert.equal(take(reader, answer.slice(cut)), true, `cut at ${cut}`);
      assert.equal(take(reader, answer), true, `after a cut at ${cut}`);
    }
  });

  it("knows an answer again, and sees that the next one differs", () => {
    const reader = new AnswerReader();
    for (let count = 0; count < 3; count++) assert.equal(take(reader, answer), true);
    assert.equal(reader.isGood, true);
    assert.equal(take(reader, answer.replace("200 OK", "503 No")), true);
    assert.equal(reader.isGood, false);
    assert.equal(take(reader, answer), true);
    assert.equal(reader.isGood, true);
    assert.equal(take(reader, answer.replace(`: ${body.length}`, `: ${body.length + 1}`)), false);
    assert.equal(take(reader, "!"), true);
  });

  it("counts a body that is larger than one read", () => {
    const large = `HTTP/1.1 200 OK\r\ncontent-length: 70000\r\n\r\n${"x".repeat(65_000)}`;
    const reader = new AnswerReader();
    for (let count = 0; count < 2; count++) {
      assert.equal(take(reader, large), false);
      assert.equal(take(reader, "x".repeat(4_999)), false);
      assert.equal(take(reader, "x"), true);
    }
  });

  for (const [what, text, message] of [
    ["no length", "HTTP/1.1 200 OK\r\nX: y\r\n\r\n", /without Content-Length/],
    ["two answers", answer + answer, /more than one answer/],
    ["an endless head", `HTTP/1.1 200 OK\r\n${"x".repeat(9_000)}`, /no end/],
  ]) {
    it(`refuses ${what}`, () => {
      assert.throws(() => take(new AnswerReader(), String(text)), { message });
    });
  }
});

describe("the ring", () => {
  it("gives what was put in first, and holds no more than so many", () => {
    const ring = new Ring(3);
    for (const item of [1, 2, 3]) ring.push(item);
    assert.throws(() => ring.push(4), RangeError);
    assert.equal(ring.shift(), 1);
    ring.push(4);
    assert.deepEqual(
      [ring.shift(), ring.shift(), ring.shift(), ring.shift()],
      [2, 3, 4, undefined],
    );
  });
});

describe("percentiles and shares", () => {
  const sorted = Float64Array.from({ length: 1000 }, (_, index) => index + 1);

  it("are those of the values, not between them", () => {
    assert.equal(percentileOf(sorted, 0.5), 500);
    assert.equal(percentileOf(sorted, 0.99), 990);
    assert.equal(percentileOf(sorted, 0.999), 999);
    assert.equal(percentileOf(sorted, 1), 1000);
    assert.equal(percentileOf(sorted, 0), 1);
  });

  it("count what is above a limit, and not what is at it", () => {
    assert.equal(shareAbove(sorted, 0), 1);
    assert.equal(shareAbove(sorted, 900), 0.1);
    assert.equal(shareAbove(sorted, 899.5), 0.101);
    assert.equal(shareAbove(sorted, 1000), 0);
  });
});

describe("the generator", () => {
  const body = '{"name":"testing","id":"10"}';
  const stall = 100;
  let asked = 0;
  const server = createServer((req, res) => {
    asked += 1;
    const answer = () =>
      res.writeHead(req.url === "/bad" ? 500 : 200, { "content-length": body.length }).end(body);
    const into = performance.now() % 1000;
    // It waits, and keeps nobody's processor busy: a busy machine is no server's stall.
    if (into < stall) setTimeout(answer, stall - into);
    else answer();
  }).listen(0, "127.0.0.1");
  after(() => server.close());

  /** @param {string} path @param {{ perSecond: number, connections: number }} load */
  async function ask(path, load) {
    if (!server.listening) await once(server, "listening");
    const address = /** @type {import("node:net").AddressInfo} */ (server.address());
    const url = `http://127.0.0.1:${address.port}${path}`;
    const [file, ...args] = openLoadCommand({ url, seconds: 3, ...load });
    return parseOpenLoad((await promisify(execFile)(file, args)).stdout);
  }

  it("times what waits for a connection from when it was due", async () => {
    const { requests, failures, above, sending } = await ask("/", {
      perSecond: 500,
      connections: 8,
    });
    assert.deepEqual(failures, []);
    assert.equal(requests, 1500);
    // Timed from when it was sent, it would be 8 of 50 in each stall: 1.6 %. A
    // busy machine makes more of them late, and never fewer.
    assert.ok(Number(above?.[20]) >= 0.075, `${above?.[20]}`);
    assert.ok(Number(sending?.waited) >= 100, `${sending?.waited} had to wait`);
  });

  it("says that answers weren't good, and counts none of the warm-up", async () => {
    asked = 0;
    const { requests, failures } = await ask("/bad", { perSecond: 50, connections: 8 });
    assert.deepEqual(failures, ["150 answers that were not 2xx"]);
    assert.equal(requests, 150);
    assert.equal(asked, 150 + 50 * warmUpOf(50));
  });

  it("warms up for longer where it asks for less", () => {
    assert.deepEqual([1_000, 10_000, 40_000].map(warmUpOf), [3, 2, 1]);
  });

  it("is not to be believed when it prints something else", () => {
    assert.throws(() => parseOpenLoad("no"), { code: "ERR_BENCH_OUTPUT" });
  });
});

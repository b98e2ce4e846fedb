import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:net";
import { PassThrough } from "node:stream";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { freePort } from "../../contracts/port.js";
import { Backoff } from "../lib/cluster/backoff.js";
import { passLines } from "../lib/cluster/lines.js";
import { readMessage } from "../lib/cluster/messages.js";
import { Metrics } from "../lib/cluster/metrics.js";
import { readOptions } from "../lib/cluster/options.js";
import { SHARINGS, Supervised } from "./supervised.js";

const READY = /worker \d \(pid (\d+)\) is ready/;

const PLAIN = `
const router = new Router();
router.get("/pid", () => process.pid);
createServer(router, { keepAliveTimeout: 100 }).listen(port);
`;

describe("Wait longer each time", () => {
  it("doubles the time up to half a minute, and begins anew", () => {
    const backoff = new Backoff(1000);
    for (const most of [100, 200, 400, 800, 1600, 3200, 6400, 12_800]) {
      const time = backoff.next(0);
      assert.ok(time >= most / 2 && time <= most, `${time} of ${most}`);
    }
    for (let i = 0; i < 2000; i += 1) {
      const pause = backoff.next(0);
      assert.ok(pause <= 30_000, `${pause} ms`);
    }
    assert.equal(backoff.next(1001), 0);
    const pause = backoff.next(1000);
    assert.ok(pause <= 100, `${pause} ms`);
  });
});

describe("New ones before old ones leave", () => {
  it("refuses a deadline that a timer can't take", () => {
    const script = fileURLToPath(import.meta.url);
    for (const deadline of [Infinity, 2 ** 31 - 1]) {
      assert.throws(() => readOptions({ script, deadline }), {
        code: "ERR_OPTION_INVALID",
      });
    }
    const { deadline } = readOptions({ script, deadline: 60_000 });
    assert.equal(deadline, 60_000);
  });
});

describe("A socket of one's own", () => {
  it("passes on whole lines, and the rest at the end", async () => {
    const [a, b, out] = [0, 1, 2].map(() => new PassThrough());
    let text = "";
    out.setEncoding("utf8").on("data", (data) => {
      text += data;
    });
    passLines(a, out);
    passLines(b, out);
    a.write("a1 ");
    b.write("b1\nb2 ");
    a.write("a2\na3");
    b.write("b3\n");
    a.end();
    await once(a, "end");
    await new Promise((resolve) => setImmediate(resolve));
    const lines = text.split("\n").sort();
    assert.deepEqual(lines, ["", "a1 a2", "a3", "b1", "b2 b3"]);
  });

  it("stops reading when nobody reads what it writes", async () => {
    const from = new PassThrough();
    const to = new PassThrough({ highWaterMark: 10 });
    passLines(from, to);
    from.write("a line of some length\n");
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(from.isPaused(), true);
    to.resume();
    await once(from, "resume");
  });

  it("waits with one listener for all workers", async () => {
    const to = new PassThrough({ highWaterMark: 10 });
    const sources = Array.from({ length: 12 }, () => new PassThrough());
    for (const from of sources) {
      passLines(from, to);
      from.write("a line of some length\n");
    }
    await new Promise((resolve) => setImmediate(resolve));
    const going = sources.filter((from) => !from.isPaused());
    assert.equal(going.length, 0);
    assert.equal(to.listenerCount("drain"), 1);
    to.resume();
    await Promise.all(sources.map((from) => once(from, "resume")));
  });

  it("goes on when whoever read it has gone", async () => {
    const from = new PassThrough();
    const to = new PassThrough({ highWaterMark: 10 });
    to.on("error", () => {});
    passLines(from, to);
    from.write("a line of some length\n");
    await new Promise((resolve) => setImmediate(resolve));
    to.destroy();
    await once(from, "resume");
  });

  it("doesn't keep a line without an end for ever", async () => {
    const [from, to] = [0, 1].map(() => new PassThrough());
    passLines(from, to);
    from.write("x".repeat(70_000));
    const [chunk] = await once(to, "data");
    assert.equal(chunk.length, 70_000);
  });
});

describe("What was counted", () => {
  it("adds counters, and those of the dead, and labels gauges", () => {
    const metrics = new Metrics();
    const counts = (a, b) => ({
      counters: { requests: a, 'responses{code="200"}': b },
      gauges: { memory: a },
    });
    metrics.keep(counts(5, 4));
    const text = metrics.text([
      { number: 1, counts: counts(1, 1) },
      { number: 2, counts: counts(2, 0) },
    ]);
    assert.equal(
      text,
      [
        "# TYPE requests counter",
        "requests 8",
        "# TYPE responses counter",
        'responses{code="200"} 5',
        "# TYPE memory gauge",
        'memory{worker="1"} 1',
        'memory{worker="2"} 2',
        "",
      ].join("\n"),
    );
  });

  it("prints a name's type once", () => {
    const metrics = new Metrics();
    const counters = { a: 1, a_b: 2, 'a{kind="c"}': 3 };
    const text = metrics.text([
      { number: 1, counts: { counters, gauges: {} } },
    ]);
    assert.equal(
      text,
      [
        "# TYPE a counter",
        "a 1",
        'a{kind="c"} 3',
        "# TYPE a_b counter",
        "a_b 2",
        "",
      ].join("\n"),
    );
  });

  it("counts what has the name of a part of each object", () => {
    const metrics = new Metrics();
    const counts = { counters: { constructor: 1 }, gauges: {} };
    metrics.keep(/** @type {any} */ (counts));
    const workers = [{ number: 1, counts }];
    const text = metrics.text(/** @type {any} */ (workers));
    assert.equal(text, "# TYPE constructor counter\nconstructor 2\n");
  });

  it("lives without metrics when their port is taken", async (t) => {
    const taken = createServer().listen(0, "127.0.0.1");
    await once(taken, "listening");
    t.after(() => taken.close());
    const { port } = /** @type {any} */ (taken.address());
    const velocy = await Supervised.startWith(t, PLAIN, {
      workers: 1,
      metricsPort: port,
    });
    await velocy.says(/no metrics: .*EADDRINUSE/);
    await velocy.says(READY);
    assert.match(await velocy.ask("/pid"), /^\d+$/);
  });

  for (const sharing of SHARINGS) {
    it(`never counts backwards (${sharing})`, async (t) => {
      const metricsPort = await freePort();
      const velocy = await Supervised.startWith(t, PLAIN, {
        workers: 1,
        sharing,
        hungAfter: 1000,
        metricsPort,
      });
      await velocy.says(READY);
      for (let i = 0; i < 3; i += 1) await velocy.ask("/pid");
      velocy.signal("SIGHUP");
      await velocy.says(/restarted/);
      const address = `http://127.0.0.1:${metricsPort}`;
      let text = "";
      // Until the new one has said something.
      while (!text.includes("process_resident")) {
        text = await (await fetch(`${address}/metrics`)).text();
      }
      assert.match(text, /^http_requests_total 3$/m);
      assert.match(text, /^http_responses_total\{code="200"\} 3$/m);
      assert.match(text, /^process_resident_memory_bytes\{worker="1"\} /m);
      assert.equal((await fetch(`${address}/`)).status, 404);
    });
  }
});

describe("velocy server.js --workers 2", () => {
  for (const [words, message] of /** @type {[string[], RegExp][]} */ ([
    [["--worker", "3"], /no option worker: did you mean workers\?/],
    [["--workers", "many"], /workers must be a whole number .*"many"/],
    [["--workers"], /workers must be a whole number .*true/],
    [["--workers", "0"], /from 1 to 1024, not 0/],
    [["--sharing", "tea"], /sharing must be one of socket, .*"tea"/],
    [["--metrics-port", "70000"], /from 1 to 65535, not 70000/],
    [["--metrics-port", "0"], /from 1 to 65535, not 0/],
    [["--deadline", "0"], /deadline must be a whole number from 1 to/],
    [["--start-timeout", "0"], /startTimeout must be milliseconds.* 0/],
    [["--start-timout", "5000"], /did you mean start-timeout\?/],
    [["--startTimeout", "5000"], /no option startTimeout/],
    [["--script=other.js"], /no option script/],
    [["--args", "x"], /no option args/],
    [
      ["--deadline", "Infinity"],
      /deadline must be a whole number .*Infinity/,
    ],
  ])) {
    it(`refuses ${words.join(" ")}`, async (t) => {
      const velocy = await Supervised.start(t, PLAIN, words);
      assert.equal(await velocy.end(), 1);
      assert.match(velocy.output, message);
      assert.doesNotMatch(velocy.output, / at .*\.js:/);
    });
  }

  it("takes times that never end", async (t) => {
    const words = ["--workers", "1", "--hung-after", "Infinity"];
    const velocy = await Supervised.start(t, PLAIN, words);
    await velocy.says(READY);
  });

  it("asks for a script, and for arguments that are strings", () => {
    const script = fileURLToPath(import.meta.url);
    for (const [options, message] of /** @type {[any, RegExp][]} */ ([
      [{ workers: 2 }, /script must be a server's file, not ""/],
      [{ script: "missing.js" }, /there is no file missing\.js/],
      [{ script, args: [{}] }, /args must be a list of nothing but/],
      [{ script, args: "x" }, /args must be a list of .* not "x"/],
    ])) {
      assert.throws(() => readOptions(options), { message });
    }
  });

  it("tells its options", async (t) => {
    const velocy = await Supervised.start(t, PLAIN, ["--help"]);
    assert.equal(await velocy.end(), 0);
    assert.match(velocy.output, /--workers N/);
  });

  it("gives the script its own arguments", async (t) => {
    const program = `console.log(process.argv.slice(2));${PLAIN}`;
    const words = ["--workers", "1", "--", "--port", "7"];
    const velocy = await Supervised.start(t, program, words);
    await velocy.says(/\[ '--port', '7' \]/);
    await velocy.says(READY);
  });

  it("refuses to supervise in a worker", async (t) => {
    const index = new URL("../lib/cluster/index.js", import.meta.url).href;
    const program = `
const { supervise } = await import(${JSON.stringify(index)});
supervise({ script: process.argv[1] });`;
    const velocy = await Supervised.start(t, program, ["--workers", "1"]);
    assert.equal(await velocy.end(), 1);
    assert.match(velocy.output, /supervise\(\) was called in a worker/);
  });
});

describe("Break it", () => {
  it("reads only series that Prometheus takes", () => {
    const counters = {
      a: 1,
      'a{b="c"}': 2,
      'a{b="c",d="e"}': 3,
      "a{!}": 4,
      'a{b="c"d="e"}': 5,
      'a{b="c"}{d="e"}': 6,
      "7a": 7,
    };
    const gauges = { a: 1, 'a{b="c"}': 2 };
    const beat = { counters, gauges };
    assert.deepEqual(readMessage({ velocy: { beat } })?.beat, {
      counters: { a: 1, 'a{b="c"}': 2, 'a{b="c",d="e"}': 3 },
      gauges: { a: 1 },
    });
  });
});

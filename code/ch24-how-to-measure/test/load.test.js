import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { after, before, describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Program } from "../../contracts/program.js";

const folder = new URL("..", import.meta.url);

/**
 * A server in this process that counts what it is asked.
 */
class CountingServer {
  requests = 0;
  connections = 0;
  underWay = 0;
  mostUnderWay = 0;
  #server;

  /** @param {(number: number) => Promise<void> | void} wait before an answer, by its number */
  constructor(wait = () => {}) {
    this.#server = createServer(async (_req, res) => {
      this.requests++;
      this.underWay++;
      this.mostUnderWay = Math.max(this.mostUnderWay, this.underWay);
      await wait(this.requests);
      this.underWay--;
      res.end("hello\n");
    });
    this.#server.on("connection", () => {
      this.connections++;
    });
  }

  async listen() {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    const { port } = /** @type {import("node:net").AddressInfo} */ (
      this.#server.address()
    );
    this.url = `http://127.0.0.1:${port}/`;
    return this;
  }

  close() {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

/**
 * Runs the reader's `load.js` to its end.
 *
 * @param {string[]} args
 * @param {(child: import("node:child_process").ChildProcess) => void} [meanwhile]
 */
async function run(args, meanwhile = () => {}) {
  return runAs([process.execPath], args, meanwhile);
}

/**
 * @param {string[]} command that runs a program in Node.js
 * @param {string[]} args
 * @param {(child: import("node:child_process").ChildProcess) => void} [meanwhile]
 */
async function runAs([file, ...first], args, meanwhile = () => {}) {
  const child = spawn(file, [...first, "load.js", ...args], {
    cwd: fileURLToPath(folder),
  });
  meanwhile(child);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  return { stdout, stderr, code };
}

/**
 * @param {string} stdout
 * @param {RegExp} pattern
 */
function printed(stdout, pattern) {
  const found = pattern.exec(stdout);
  assert.ok(found, `${pattern} is not in what it printed:\n${stdout}`);
  return Number(found[1]);
}

/**
 * Runs `load.js`, which must end well, and reads its report.
 *
 * @param {string[]} args
 */
async function load(...args) {
  const { stdout, stderr, code } = await run(args);
  assert.equal(code, 0, stderr);
  return {
    stdout,
    requests: printed(stdout, /^(\d+) requests, \d+ a second$/m),
    rate: printed(stdout, /^\d+ requests, (\d+) a second$/m),
    p50: printed(stdout, /p50 ([\d.]+) ms/),
    p99: printed(stdout, /p99 ([\d.]+) ms/),
    max: printed(stdout, /max ([\d.]+) ms/),
    product: printed(stdout, /^rate times mean latency: ([\d.]+)$/m),
  };
}

/**
 * @param {(number: number) => Promise<void> | void} wait
 * @param {string[]} args
 */
async function loadOne(wait, ...args) {
  const server = await new CountingServer(wait).listen();
  try {
    const report = await load(String(server.url), ...args);
    return { server, report };
  } finally {
    server.close();
  }
}

describe("A client that asks again", () => {
  it("counts each request once, and divides by the time", async () => {
    const started = performance.now();
    const { server, report } = await loadOne(() => {}, "--seconds", "2");
    const seconds = (performance.now() - started) / 1000;
    assert.equal(report.requests, server.requests);
    // It asks for two seconds, and may be at it for as long as it runs.
    const [least, most] = [seconds, 2].map(
      (time) => report.requests / time,
    );
    assert.ok(
      report.rate >= Math.floor(least) && report.rate <= Math.ceil(most),
      `${report.rate} a second, and not from ${least} to ${most}`,
    );
  });

  it("has as many under way as it has connections, which it keeps", async () => {
    const wait = () => delay(5);
    const { server } = await loadOne(
      wait,
      "--seconds",
      "1",
      "--connections",
      "7",
    );
    assert.equal(server.mostUnderWay, 7);
    assert.equal(server.connections, 7);
    assert.ok(server.requests > 70, `only ${server.requests} requests`);
  });

  it("tells the middle from the slow end", async () => {
    // Two of a hundred take 200 ms: beyond p99, and far from the middle.
    const wait = (/** @type {number} */ number) =>
      delay(number % 50 === 0 ? 200 : 1);
    const { report } = await loadOne(
      wait,
      "--seconds",
      "2",
      "--connections",
      "4",
    );
    assert.ok(report.p99 >= 199, `p99 is ${report.p99}`);
    assert.ok(
      report.p50 < report.p99 / 2,
      `p50 is ${report.p50}, and p99 ${report.p99}`,
    );
    assert.ok(
      report.max >= report.p99,
      `p99 is ${report.p99}, and max ${report.max}`,
    );
  });
});

describe("Rate times latency", () => {
  for (const connections of [3, 12]) {
    it(`is the number of connections when there are ${connections}`, async () => {
      const { report } = await loadOne(
        () => delay(10),
        ...["--seconds", "1", "--connections", String(connections)],
      );
      // Each connection may lack one answer's time, at the end of the second.
      const share = 0.02 + report.max / 1000;
      assert.ok(
        Math.abs(report.product / connections - 1) < share,
        `${report.product}, and not ${connections}`,
      );
    });
  }
});

describe("A server that stops", () => {
  /** @type {Program} */
  let server;
  before(async () => {
    server = await Program.start(folder, "server.js", { STALL: "1" });
  });
  after(() => server?.close());

  it("holds everybody up for about 100 ms once a second", async () => {
    const report = await load(
      `http://127.0.0.1:${server.port}/`,
      "--seconds",
      "2",
    );
    assert.ok(report.max > 80, `the slowest took ${report.max} ms`);
    assert.ok(
      report.p50 < report.max / 2,
      `half of them took ${report.p50} ms, and the slowest ${report.max}`,
    );
  });
});

describe("Ask by the clock", () => {
  it("asks as often as it was told, whether it is answered or not", async () => {
    const wait = () => delay(300);
    const { server, report } = await loadOne(
      wait,
      "--seconds",
      "1",
      "--rate",
      "100",
    );
    assert.equal(server.requests, report.requests);
    assert.ok(
      Math.abs(report.requests - 100) <= 1,
      `${report.requests} requests`,
    );
    assert.ok(
      server.mostUnderWay > 20,
      `${server.mostUnderWay} were under way at most`,
    );
  });

  it("counts from when a request was due", async () => {
    // One stop of 400 ms holds up a fifth of what comes in two seconds. So
    // few come that a busy machine has done with them at once afterwards.
    /** @type {number[]} when each came, in milliseconds */
    const arrivals = [];
    const stop = (/** @type {number} */ number) => {
      arrivals.push(performance.now());
      if (number !== 10) return;
      const end = performance.now() + 400;
      while (performance.now() < end);
    };
    const { report } = await loadOne(
      stop,
      "--seconds",
      "2",
      "--rate",
      "50",
    );
    assert.ok(report.p99 > 300, `p99 is ${report.p99}`);
    // One comes each 20 ms; on a busy machine half of them come later, and
    // the first one may too: the one that was least late says when they began.
    const began = Math.min(...arrivals.map((at, i) => at - 20 * i));
    const late = arrivals.map((at, i) => at - began - 20 * i);
    const median = late.sort((a, b) => a - b)[Math.floor(late.length / 2)];
    assert.ok(
      report.p50 < median + 100,
      `p50 is ${report.p50}, and half of them came ${median} ms late`,
    );
  });
});

describe("More than there is", () => {
  it("bounds its connections, and asks as often all the same", async () => {
    // 480 would be under way if each had a connection. On a busy machine
    // some may fail, or be a second late: they are counted, too.
    const server = await new CountingServer(() => delay(400)).listen();
    try {
      const args = [
        String(server.url),
        "--seconds",
        "0.5",
        "--rate",
        "1200",
      ];
      const { stdout, stderr } = await run(args);
      const counts = `${stdout}${stderr}`.matchAll(
        /^(\d+) (?:requests, |requests failed|were never asked)/gm,
      );
      const sum = [...counts].reduce(
        (all, [, one]) => all + Number(one),
        0,
      );
      assert.ok(Math.abs(sum - 600) <= 1, `it counts ${sum} requests`);
      assert.ok(
        server.connections <= 256,
        `it opened ${server.connections} connections`,
      );
    } finally {
      server.close();
    }
  });

  it("gives up after a second, and says so", async () => {
    const server = await new CountingServer(
      () => new Promise(() => {}),
    ).listen();
    try {
      const args = [String(server.url), "--seconds", "1", "--rate", "20"];
      const { stdout, stderr, code } = await run(args);
      assert.equal(code, 1);
      assert.match(
        stderr,
        /^2[01] requests failed: no answer in a second$/m,
      );
      assert.equal(stdout, "", "nothing was answered");
    } finally {
      server.close();
    }
  });

  it("doesn't ask what is a second overdue, and says how many", async () => {
    // No client of this kind asks two hundred thousand times in a second.
    const server = await new CountingServer().listen();
    try {
      const args = ["--seconds", "1", "--rate", "200000"];
      const { stdout, stderr } = await run([String(server.url), ...args]);
      const asked = printed(stdout, /^(\d+) requests, \d+ a second$/m);
      const never = printed(
        stdout,
        /^(\d+) were never asked: a second late$/m,
      );
      // A busy machine leaves some without an answer in a second, too.
      const failed = [...stderr.matchAll(/^(\d+) requests failed/gm)];
      const unanswered = failed.reduce(
        (sum, [, one]) => sum + Number(one),
        0,
      );
      const sum = asked + never + unanswered;
      assert.ok(
        Math.abs(sum - 200_000) <= 1,
        `asked, failed and never asked are ${sum} together`,
      );
    } finally {
      server.close();
    }
  });

  it("says in words that nobody listens", async () => {
    const server = await new CountingServer().listen();
    server.close();
    const args = ["--seconds", "1", "--rate", "50"];
    const { stderr, code } = await run([String(server.url), ...args]);
    assert.equal(code, 1);
    assert.match(stderr, /^5[01] requests failed: nobody listens there$/m);
  });

  it("says in words that it may open no more files", async () => {
    const server = await new CountingServer().listen();
    const few = 'ulimit -n 64; exec "$0" "$@"';
    const args = [String(server.url), "--seconds", "1"];
    try {
      const { stdout, stderr, code } = await runAs(
        ["sh", "-c", few, process.execPath],
        [...args, "--connections", "100"],
      );
      assert.equal(code, 1);
      assert.match(
        stderr,
        /^\d+ requests failed: this program may open no more files$/m,
      );
      assert.match(stdout, /^\d+ requests, /m, "the others were answered");
    } finally {
      server.close();
    }
  });

  it("says in words that connections were cut off, and goes on", async () => {
    let asked = 0;
    let cut = 0;
    const server = createServer((req, res) => {
      asked++;
      if (asked % 10 !== 0) return res.end("x");
      cut++;
      req.socket.destroy();
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = /** @type {import("node:net").AddressInfo} */ (
      server.address()
    );
    const args = [`http://127.0.0.1:${port}/`, "--seconds", "1"];
    const { stdout, stderr, code } = await run(args);
    server.closeAllConnections();
    server.close();
    assert.equal(code, 1);
    const failed = /^(\d+) requests failed: the connection was cut off$/m;
    assert.equal(printed(stderr, failed), cut);
    assert.equal(printed(stdout, /^(\d+) requests/m), asked - cut);
    assert.ok(asked > 100, "it stopped at the first");
  });

  it("says how late it asked when it was held up itself", async () => {
    let running = /** @type {import("node:child_process").ChildProcess} */ (
      /** @type {unknown} */ (undefined)
    );
    const server = await new CountingServer((number) => {
      if (number !== 50) return;
      running.kill("SIGSTOP");
      setTimeout(() => running.kill("SIGCONT"), 400);
    }).listen();
    try {
      const args = [String(server.url), "--seconds", "2", "--rate", "100"];
      const { stdout } = await run(args, (child) => {
        running = child;
      });
      const late = /^asked late: p99 [\d.]+ ms, max ([\d.]+) ms$/m;
      assert.ok(
        printed(stdout, late) > 300,
        `it stood still for 400 ms, and says\n${stdout}`,
      );
    } finally {
      server.close();
    }
  });
});

describe("Ask with something slow", () => {
  it("tells a busy client from an idle one", async () => {
    const share = /^load\.js took (\d+) % of a core$/m;
    const args = ["--seconds", "2", "--connections"];
    const idle = await loadOne(() => delay(100), ...args, "1");
    const busy = await loadOne(() => {}, ...args, "32");
    const shares = [idle, busy].map(({ report }) =>
      printed(report.stdout, share),
    );
    assert.ok(shares[0] < shares[1], `idle and busy: ${shares} %`);
  });
});

import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { describe, it } from "node:test";
import { listen, MILESTONE, run, withServer } from "./lib.js";

const PATH = "/seed/v1";
const COUNT = ["--import", `file://${MILESTONE}test/listeners.js`];

async function askSome(origin, times) {
  const responses = [];
  for (let i = 0; i < times; i += 1) {
    const response = await fetch(`${origin}${PATH}`);
    responses.push({ response, body: await response.text() });
  }
  return responses;
}

describe("Keeping Node fast", () => {
  for (const file of ["restify.js", "slow.js", "mended.js"]) {
    it(`answers by ${file}, from the second time on with a tag`, async () => {
      const { value } = await withServer(file, async (origin) => {
        const missing = await fetch(`${origin}/seed/v2`);
        return { missing, answers: await askSome(origin, 2) };
      });
      const [first, second] = value.answers;
      assert.equal(value.missing.status, 404);
      assert.equal(first.response.headers.get("etag"), null);
      assert.match(second.response.headers.get("etag"), /^[0-9a-f]{128}$/);
      const { data, url, ts } = JSON.parse(second.body);
      assert.match(data, /^[0-9a-f]{10000}$/);
      assert.equal(url, PATH);
      assert.equal(ts % 60_000, 0);
    });
  }

  it("has whole minutes, also when one begins meanwhile", async (t) => {
    const { timestamp } = await import("../seed.js");
    let now = 59_999;
    t.mock.method(Date, "now", () => now++);
    assert.equal(timestamp(), 0);
  });
});

describe("Fewer every second", () => {
  it("prints what was answered, by status", async () => {
    let count = 0;
    const { url, close } = await listen((_req, res) => {
      count += 1;
      res.statusCode = count % 2 === 0 ? 200 : 503;
      setTimeout(() => res.end(), 5);
    });
    const { stdout, code } = await run(["ask.js", url, "--seconds", "2"]);
    close();
    assert.equal(code, 0);
    const lines = stdout.trim().split("\n");
    assert.equal(lines.length, 2, stdout);
    const form = /^after 2 s: (\d+) times 200, (\d+)\/s; (\d+) times 503/;
    assert.match(lines[1], form);
    const [, ok, rate] = form.exec(lines[1]).map(Number);
    assert.equal(rate, Math.round(ok / 2));
    assert.ok(ok <= count / 2, `${ok} of ${count} were 200`);
  });

  it("counts nothing of the warm-up", async () => {
    let isWarm = false;
    const { url, close } = await listen((_req, res) => {
      res.statusCode = isWarm ? 200 : 503;
      setTimeout(() => res.end(), 5);
    });
    setTimeout(() => {
      isWarm = true;
    }, 500);
    const args = ["ask.js", url, "--seconds", "1", "--warm-up", "2"];
    const { stdout } = await run(args);
    close();
    assert.match(stdout, /^after 1 s: \d+ times 200, \d+\/s$/m);
  });

  it("fails when the server can't be reached", async () => {
    const { url, close } = await listen(() => {});
    close();
    const { code, stderr } = await run(["ask.js", url, "--seconds", "1"]);
    assert.equal(code, 1);
    assert.match(stderr, /ECONNREFUSED/);
  });

  it("counts the answers by status", async () => {
    const { load } = await import("../load.js");
    const told = [];
    const { url, close } = await listen((_req, res) => {
      res.statusCode = 503;
      res.end();
    });
    const onAnswer = (status) => told.push(status);
    const options = { seconds: 0.3, connections: 2, onAnswer };
    const counts = await load(url, options);
    close();
    assert.deepEqual(counts, { 503: told.length });
  });

  it("asks again when a used connection was closed meanwhile", async () => {
    const { load } = await import("../load.js");
    const used = new WeakSet();
    const { url, close } = await listen((req, res) => {
      if (used.has(req.socket)) return req.socket.destroy();
      used.add(req.socket);
      return res.end();
    });
    const counts = await load(url, { seconds: 0.3, connections: 2 });
    close();
    assert.deepEqual(Object.keys(counts), ["200"]);
    assert.ok(counts[200] > 2, `${counts[200]} answers`);
  });

  it("asks no more after a failure", async () => {
    const { load } = await import("../load.js");
    let count = 0;
    const { url, close } = await listen((req, res) => {
      count += 1;
      if (count > 1) return res.end();
      // Its connection is new, so it isn't asked again.
      return setTimeout(() => req.socket.destroy(), 100);
    });
    const loading = load(url, { seconds: 60, connections: 2 });
    await assert.rejects(loading, { code: "ECONNRESET" });
    const before = count;
    await new Promise((resolve) => setTimeout(resolve, 200));
    close();
    // One may have been under way.
    assert.ok(count <= before + 1, `asked ${count - before} times`);
  });

  it("sends the last tag when it remembers, and not otherwise", async () => {
    const { load } = await import("../load.js");
    for (const remembers of [true, false]) {
      const seen = new Set();
      const { url, close } = await listen((req, res) => {
        seen.add(req.headers["if-none-match"]);
        res.setHeader("etag", '"a"');
        res.end();
      });
      await load(url, { seconds: 0.3, connections: 2, remembers });
      close();
      assert.equal(seen.has('"a"'), remembers);
    }
  });
});

describe("A warning that was switched off", () => {
  for (const [file, each] of [
    ["restify.js", 5],
    ["slow.js", 5],
    ["shedding.js", 5],
    ["mended.js", 1],
    ["restify-mended.js", 1],
  ]) {
    it(`adds ${each} listeners in ${file} for five requests`, async () => {
      const work = (origin) => askSome(origin, 5);
      const { stdout } = await withServer(String(file), work, COUNT);
      assert.match(stdout, new RegExp(`^${each} listeners$`, "m"));
    });
  }

  it("doesn't warn any more", async () => {
    const work = (origin) => askSome(origin, 12);
    const { stderr } = await withServer("mended.js", work);
    assert.equal(stderr, "");
  });

  it("warns at the eleventh listener where the limit is Node's own", () => {
    const emitter = new EventEmitter();
    const warned = [];
    const { emitWarning } = process;
    process.emitWarning = (warning) => warned.push(warning);
    try {
      emitter.setMaxListeners(10);
      for (let i = 0; i < 11; i += 1) emitter.on("answered", () => {});
    } finally {
      process.emitWarning = emitWarning;
    }
    assert.equal(warned.length, 1);
    assert.equal(warned[0].name, "MaxListenersExceededWarning");
  });

  it("tags two servers with one set of tags", async () => {
    const { tags } = await import("../tags.js");
    const tag = tags();
    const res = { setHeader() {} };
    const servers = [new EventEmitter(), new EventEmitter()];
    for (const server of [...servers, ...servers]) tag(server, "/a", res);
    for (const server of servers) {
      assert.equal(server.listenerCount("answered"), 1);
    }
  });
});

describe("One step at a time", () => {
  it("measures what a request costs", async () => {
    const { measure } = await import("../measure.js");
    const { startServer } = await import("../outside.js");
    const server = await startServer(`${MILESTONE}test/busy.js`);
    const run = await measure(server, "/", { seconds: 1, connections: 4 });
    await server.stop();
    assert.deepEqual(Object.keys(run.counts), ["200"]);
    // It computes for 2 ms, of which a sample may be cut at either end.
    assert.ok(run.cost > 1800, `${run.cost} µs`);
    assert.ok(run.rate > 0 && run.rate < 550, `${run.rate} a second`);
  });

  it("compares servers, the first of them with itself", async () => {
    const args = ["compare.js", "/0.2", "test/busy.js", "mended.js"];
    const few = ["--rounds", "2", "--seconds", "1"];
    const { stdout, stderr } = await run([...args, ...few]);
    const lines = stdout.trim().split("\n");
    const rows = lines.filter((line) => !line.startsWith("LOOK"));
    assert.equal(rows.length, 3, stdout + stderr);
    const ratios = rows.map((row) =>
      / ([\d.]+) \(([\d.]+) to ([\d.]+)\)/.exec(row).slice(1).map(Number),
    );
    for (const [median, from, to] of ratios) {
      const isBetween = Math.abs(median - (from + to) / 2) < 0.011;
      assert.ok(isBetween, `${median} is the median of ${from} and ${to}`);
    }
    const [, from, to] = ratios[1];
    const differs = /^LOOK: THE TWINS DIFFER/m.test(stdout);
    assert.equal(differs, from > 1 || to < 1, stdout);
    assert.match(rows[0], /1\.00 \(1\.00 to 1\.00\), 200$/);
    assert.match(rows[1], /busy\.js .* µs, .*\/s, /);
    assert.match(rows[2], /mended\.js .*, 404 \(LOOK: /);
    assert.equal(stderr, "");
  });
});

describe("JSON by hand", () => {
  it("is what JSON.stringify would have written", async () => {
    const { value } = await withServer("by-hand.js", async (origin) => {
      const [{ response, body }] = await askSome(origin, 1);
      return { type: response.headers.get("content-type"), body };
    });
    assert.match(value.type, /^application\/json/);
    assert.equal(JSON.stringify(JSON.parse(value.body)), value.body);
  });
});

describe("No hash", () => {
  it("is better than a hash in that new content has a new tag", async () => {
    const { tags } = await import("../tags.js");
    const tag = tags();
    const server = new EventEmitter();
    const given = [];
    const setHeader = (name, value) => {
      if (name === "etag") given.push(value);
    };
    for (const value of ["old", "old", "new", "new"]) {
      tag(server, "/a", { setHeader });
      server.emit("answered", "/a", value);
    }
    const [second, third, fourth] = given;
    assert.equal(third, second, "new content has got the old tag");
    assert.notEqual(fourth, third);
  });

  it("has the minute for a tag", async () => {
    const { value } = await withServer("no-hash.js", async (origin) => {
      const [{ response, body }] = await askSome(origin, 1);
      return { tag: response.headers.get("etag"), ts: JSON.parse(body).ts };
    });
    assert.equal(value.tag, String(value.ts));
  });

  it("has a version for each content", async () => {
    const path = "../seed.js";
    const [a, b] = [await import(`${path}?a`), await import(`${path}?b`)];
    assert.match(a.version, /^[\w-]{12}$/);
    assert.notEqual(a.version, b.version);
  });
});

describe("The answer that needn't be sent", () => {
  async function askAgain(file) {
    const { value } = await withServer(file, async (origin) => {
      const answers = await askSome(origin, 2);
      const etag = answers[1].response.headers.get("etag");
      const headers = { "if-none-match": etag };
      const response = await fetch(`${origin}${PATH}`, { headers });
      const old = { "if-none-match": '"old"' };
      const other = await fetch(`${origin}${PATH}`, { headers: old });
      await other.text();
      return { etag, response, body: await response.text(), other };
    });
    return value;
  }

  for (const file of ["mended.js", "no-hash.js"]) {
    it(`isn't spared by ${file}, whose tag has no quotes`, async () => {
      assert.equal((await askAgain(file)).response.status, 200);
    });
  }

  it("is a 304 with the fields that a cache needs", async () => {
    const { etag, response, body, other } =
      await askAgain("conditional.js");
    assert.match(etag, /^"[\w-]{12}-\d+"$/);
    assert.equal(response.status, 304);
    assert.equal(body, "");
    assert.equal(response.headers.get("etag"), etag);
    assert.equal(
      response.headers.get("cache-control"),
      "public, max-age=120",
    );
    assert.equal(other.status, 200);
  });
});

describe("A log", () => {
  it("has a line for each request, by console.log", async () => {
    const work = (origin) => askSome(origin, 3);
    const { stdout } = await withServer("log-console.js", work);
    assert.equal(stdout.match(/Z GET \/seed\/v1$/gm).length, 3);
  });

  it("has a line for each request, by log()", async () => {
    const work = async (origin) => {
      await askSome(origin, 3);
      // Lines are collected for a while.
      await new Promise((resolve) => setTimeout(resolve, 1500));
    };
    const { stdout } = await withServer("log-velocy.js", work);
    const lines = stdout.trim().split("\n").slice(1);
    assert.equal(lines.length, 3, stdout);
    for (const line of lines) assert.equal(JSON.parse(line).status, 200);
  });
});

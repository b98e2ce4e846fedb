import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import http from "node:http";
import { describe, it } from "node:test";
import { promisify } from "node:util";
import { listen } from "../../contracts/router/ask.js";
import { compute } from "../../contracts/running/overload.js";

const CLIENT = new URL("../open.js", import.meta.url).pathname;

/** @param {number} port @param {string[]} args */
async function load(port, ...args) {
  const address = `http://127.0.0.1:${port}/`;
  const all = [CLIENT, address, ...args];
  const { stdout } = await promisify(execFile)(process.execPath, all);
  const sums = { good: 0, late: 0, refused: 0, failed: 0 };
  for (const [, name, count] of stdout.matchAll(/(\w+) (\d+)(?=[, ])/g)) {
    if (name in sums) sums[name] += Number(count);
  }
  const [, p50, p99] = /p50 (\d+) ms, p99 (\d+) ms/.exec(stdout) ?? [];
  return { ...sums, p50: Number(p50), p99: Number(p99) };
}

describe("Too many requests", () => {
  it("are counted as late when a server stood still", async (t) => {
    const server = http.createServer((_req, res) => res.end());
    const port = await listen(t, server);
    // Other programs may make more of them late, so the best of three counts.
    let least = { late: Infinity, p50: Infinity, p99: Infinity };
    for (let i = 0; i < 3 && least.late > 35; i += 1) {
      server.once("request", () => setTimeout(() => compute(500), 500));
      const { good, late, p50, p99 } = await load(port, "--seconds", "2");
      assert.equal(good + late, 200);
      // Fifty are due in the half second, thirty of them in its first 0.3 s.
      assert.ok(late >= 28, `only ${late} are late`);
      assert.ok(p99 > 440, `p99 ${p99}`);
      if (late < least.late) least = { late, p50, p99 };
    }
    assert.ok(least.late <= 40, `${least.late} are late`);
    assert.ok(least.p50 < 100, `p50 ${least.p50}`);
    assert.ok(least.p99 < 650, `p99 ${least.p99}`);
  });

  it("are counted as refused, and as failed, by what they were", async (t) => {
    let count = 0;
    const server = http.createServer((_req, res) => {
      count += 1;
      if (count % 4 === 0) return res.writeHead(503).end();
      if (count % 4 === 1) return res.destroy();
      return res.end();
    });
    const port = await listen(t, server);
    const args = ["--rate", "40", "--seconds", "1", "--close"];
    const { good, late, refused, failed } = await load(port, ...args);
    assert.deepEqual([good + late, refused, failed], [20, 10, 10]);
  });

  it("are counted as failed by any other status, or when cut", async (t) => {
    let count = 0;
    const server = http.createServer((_req, res) => {
      count += 1;
      if (count % 4 === 0) return res.writeHead(404).end();
      if (count % 4 !== 1) return res.end();
      res.writeHead(200, { "Content-Length": 10 });
      return res.write("x", () => res.destroy());
    });
    const port = await listen(t, server);
    const args = ["--rate", "40", "--seconds", "1", "--close"];
    const { good, late, refused, failed } = await load(port, ...args);
    assert.deepEqual([good + late, refused, failed], [20, 0, 20]);
  });
});

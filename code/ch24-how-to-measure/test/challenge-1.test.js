import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";

const skip = process.env.CHALLENGE !== "1" && "challenge 1";
const cwd = fileURLToPath(new URL("..", import.meta.url));

/** Slow for what comes in its first 300 ms, and quick from then on. */
const slowStart = `
  const { createServer } = require("node:http");
  const { parentPort } = require("node:worker_threads");
  let first;
  let requests = 0;
  const server = createServer((req, res) => {
    first ??= performance.now();
    requests++;
    if (performance.now() - first < 300) setTimeout(() => res.end("x"), 600);
    else res.end("x");
  });
  server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));
  parentPort.on("message", () => parentPort.postMessage(requests));
`;

describe("Challenges", { skip }, () => {
  it("leaves out what was asked while the server warmed up", async () => {
    const server = new Worker(slowStart, { eval: true });
    const next = () =>
      new Promise((resolve) => server.once("message", resolve));
    try {
      const url = `http://127.0.0.1:${await next()}/`;
      const args = [
        "load.js",
        url,
        "--warm-up",
        "1",
        "--seconds",
        "1",
        "--connections",
        "4",
      ];
      const { stdout, stderr, status } = spawnSync(process.execPath, args, {
        cwd,
        encoding: "utf8",
      });
      assert.equal(status, 0, stderr);
      const [, requests, rate] =
        /^(\d+) requests, (\d+) a second$/m.exec(stdout) ?? [];
      const [, max] = /max ([\d.]+) ms/.exec(stdout) ?? [];
      const [, product] =
        /^rate times mean latency: ([\d.]+)$/m.exec(stdout) ?? [];
      const asked = next();
      server.postMessage("how many?");
      // Far from 600 ms: a busy machine makes quick answers slower too.
      assert.ok(Number(max) < 500, `the slowest took ${max} ms`);
      assert.ok(
        Number(requests) < Number(await asked),
        "the warm-up was counted",
      );
      assert.ok(
        Math.abs(Number(rate) - Number(requests)) <= 0.1 * Number(requests),
        `${requests} requests in a second aren't ${rate} a second`,
      );
      assert.ok(
        Math.abs(Number(product) - 4) < 0.6,
        `${product} connections, and not 4`,
      );
    } finally {
      await server.terminate();
    }
  });
});

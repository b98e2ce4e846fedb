import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Client } from "../client.js";
import { Visitors } from "../visitors.js";

/** @import { TestContext } from "node:test" */

const FOLDER = fileURLToPath(new URL("..", import.meta.url));
const LISTENING = /^listening on http:\/\/localhost:(\d+) \(pid (\d+)\)$/;

/**
 * @param {TestContext} t
 * @param {string[]} args
 * @param {Record<string, string>} [env]
 */
async function start(t, args = ["server.js"], env = {}) {
  const child = spawn(process.execPath, args, {
    cwd: FOLDER,
    env: { ...process.env, PORT: "0", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  /** @type {number[]} */
  const pids = [];
  /** @type {string[]} */
  const lines = [];
  t.after(() => {
    for (const pid of pids) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It has ended.
      }
    }
  });
  const exit = once(child, "exit");
  const closed = once(child.stdout, "close");
  let port = 0;
  createInterface(child.stdout).on("line", (line) => {
    lines.push(line);
    const found = LISTENING.exec(line);
    if (found === null) return;
    port = Number(found[1]);
    pids.push(Number(found[2]));
  });
  const until = async (/** @type {number} */ count) => {
    for (let i = 0; i < 500 && pids.length < count; i += 1) await sleep(20);
    assert.equal(pids.length, count, lines.join("\n"));
  };
  await until(1);
  return { pids, lines, exit, closed, port, until };
}

/** @param {number} port @param {string} path */
async function get(port, path) {
  const response = await fetch(`http://127.0.0.1:${port}${path}`);
  return response.text();
}

describe("Dying well", () => {
  it("has visitors that count what goes wrong", async (t) => {
    const server = await start(t);
    const visitors = new Visitors(server.port, 10);
    for (let i = 0; i < 200 && visitors.answered < 10; i += 1) {
      await sleep(20);
    }
    assert.ok(visitors.answered >= 10, `${visitors.answered} answers`);
    process.kill(server.pids[0], "SIGKILL");
    await server.exit;
    const refused = () => visitors.failures.get("ECONNREFUSED") ?? 0;
    for (let i = 0; i < 200 && refused() === 0; i += 1) await sleep(20);
    await visitors.leave();
    assert.ok(refused() > 0, "it counts who was refused");
  });
});

describe("What close() does", () => {
  it("has a client that notes what it sees, from when it is to", async (t) => {
    const { port } = await start(t);
    const client = new Client(port);
    client.send("GET /work HTTP/1.1\r\nHost: x\r\n\r\n");
    await sleep(150);
    client.watch();
    const fields = "Host: x\r\nConnection: close\r\n";
    client.send(`GET /work HTTP/1.1\r\n${fields}\r\n`);
    for (let i = 0; i < 100 && !`${client}`.includes("closed"); i += 1) {
      await sleep(20);
    }
    assert.match(
      `${client}`,
      /^last answer \(0\.\d s\), closed \(0\.\d s\)$/,
    );
  });
});

describe("Two who listen", () => {
  for (const signal of /** @type {const} */ (["SIGTERM", "SIGINT"])) {
    it(`finishes at ${signal} what is under way, and ends with 0`, async (t) => {
      const { port, pids, exit, lines } = await start(t);
      const slow = get(port, "/slow");
      await sleep(150);
      process.kill(pids[0], signal);
      assert.equal(await slow, "done slowly\n");
      assert.deepEqual(await exit, [0, null]);
      assert.match(lines[1], /"message":"closed","finished":1,"cut":0/);
    });
  }

  it("ends at the second signal, whatever is under way", async (t) => {
    const { port, pids, exit } = await start(t);
    const slow = get(port, "/slow").catch((err) => err);
    await sleep(150);
    process.kill(pids[0]);
    await sleep(50);
    process.kill(pids[0]);
    assert.deepEqual(await exit, [null, "SIGTERM"]);
    const result = await slow;
    assert.ok(result instanceof Error, `got ${result}`);
  });

  for (const order of ["before", "after"]) {
    it(`lets a listener that is there once decide, added ${order} the logger`, async (t) => {
      const listen =
        'process.once("SIGTERM", () => setTimeout(() => console.log("late"), 200));';
      const log = "const logger = createLogger();";
      const program = [
        'import { createLogger } from "./index.js";',
        ...(order === "before" ? [listen, log] : [log, listen]),
        'logger.info("hello");',
        "setTimeout(() => {}, 300);",
        "console.log('listening on http://localhost:1 (pid ' + process.pid + ')');",
      ];
      const { pids, lines, closed, exit } = await start(t, [
        "--input-type=module",
        "-e",
        program.join("\n"),
      ]);
      process.kill(pids[0]);
      assert.deepEqual(await exit, [0, null]);
      await closed;
      assert.equal(lines.at(-1), "late");
    });
  }

  it("still ends by the signal when only the logger listens", async (t) => {
    const program = [
      'import { createLogger } from "./index.js";',
      "const logger = createLogger();",
      'logger.info("hello");',
      "setInterval(() => {}, 1000);",
      "console.log('listening on http://localhost:1 (pid ' + process.pid + ')');",
    ];
    const { pids, lines, closed, exit } = await start(t, [
      "--input-type=module",
      "-e",
      program.join("\n"),
    ]);
    process.kill(pids[0]);
    assert.deepEqual(await exit, [null, "SIGTERM"]);
    await closed;
    assert.ok(
      lines.some((line) => line.includes("hello")),
      "it was written",
    );
  });
});

describe("Ready, or alive", () => {
  it("says for a while that it leaves, and goes on", async (t) => {
    const { port, pids, exit } = await start(t, ["server.js"], {
      NOTICE: "700",
    });
    assert.match(await get(port, "/readyz"), /"status":"ready"/);
    process.kill(pids[0]);
    await sleep(100);
    assert.equal(await get(port, "/readyz"), '{"status":"leaving"}');
    assert.equal(await get(port, "/work"), "done\n");
    assert.equal(await get(port, "/healthz"), '{"status":"alive"}');
    assert.deepEqual(await exit, [0, null]);
  });
});

describe("An error that nobody caught", () => {
  it("finishes what is under way, tells the log, and ends with 1", async (t) => {
    const { port, exit, lines } = await start(t);
    const slow = get(port, "/slow");
    await sleep(150);
    assert.equal(await get(port, "/crash"), "soon\n");
    assert.equal(await slow, "done slowly\n");
    assert.deepEqual(await exit, [1, null]);
    assert.match(lines[1], /"level":"fatal".*nobody catches this/);
    assert.match(lines[2], /"message":"closed"/);
  });
});

describe("The successor", () => {
  it("takes over without a failed request, again and again", async (t) => {
    const { pids, port, until, exit, closed } = await start(t);
    const visitors = new Visitors(port, 20);
    for (let i = 1; i <= 5; i += 1) {
      await sleep(150);
      process.kill(pids[i - 1], "SIGUSR2");
      await until(i + 1);
    }
    for (let i = 0; i < 200 && visitors.answered < 50; i += 1) {
      await sleep(20);
    }
    await visitors.leave();
    assert.deepEqual(Object.fromEntries(visitors.failures), {});
    assert.ok(visitors.answered >= 50, `${visitors.answered} answers`);
    assert.deepEqual(await exit, [0, null]);
    process.kill(pids[5]);
    await closed;
  });
});

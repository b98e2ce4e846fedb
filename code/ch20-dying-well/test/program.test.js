import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import http from "node:http";
import net from "node:net";
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

/**
 * Has a program run before ours, in each successor, or in all.
 *
 * @param {string} program
 * @param {boolean} [inAll]
 */
function before(program, inAll = false) {
  const only = 'if (process.argv[2] === "--successor") ';
  const code = encodeURIComponent(inAll ? program : only + program);
  return { NODE_OPTIONS: `--import=data:text/javascript,${code}` };
}

/** @param {number} port @param {string} path */
async function get(port, path) {
  const response = await fetch(`http://127.0.0.1:${port}${path}`);
  return response.text();
}

// Its connection doesn't stay, so that the server is done sooner.
/** @param {number} port */
async function crash(port) {
  const headers = { connection: "close" };
  const url = `http://127.0.0.1:${port}/crash`;
  const response = await fetch(url, { headers });
  assert.equal(await response.text(), "soon\n");
}

/** @param {string[]} lines */
function closings(lines) {
  return lines.filter((line) => line.includes('"message":"closed"')).length;
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/**
 * Waits until none of them lives. Who has closed its output isn't gone yet.
 *
 * @param {number[]} pids
 */
async function areGone(pids) {
  for (let i = 0; i < 100 && pids.some(isAlive); i += 1) await sleep(30);
  return !pids.some(isAlive);
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

  it("has visitors that count other statuses, and who doesn't answer", async (t) => {
    let requests = 0;
    const server = http.createServer((_req, res) => {
      requests += 1;
      if (requests % 2 === 1) res.writeHead(500).end();
    });
    server.listen(0);
    t.after(() => {
      server.close();
      server.closeAllConnections();
    });
    await once(server, "listening");
    const { port } = /** @type {net.AddressInfo} */ (server.address());
    const visitors = new Visitors(port, 2);
    const { failures } = visitors;
    for (let i = 0; i < 200 && !failures.has("ABORT_ERR"); i += 1) {
      await sleep(20);
    }
    await visitors.leave();
    assert.deepEqual(new Set(failures.keys()), new Set([500, "ABORT_ERR"]));
    assert.equal(visitors.answered, 0);
  });

  it("has visitors that count an answer that breaks off", async (t) => {
    const server = http.createServer((_req, res) => {
      res.writeHead(200, { "content-length": 10 }).write("half");
      setTimeout(() => res.socket?.resetAndDestroy(), 20);
    });
    server.listen(0);
    t.after(() => {
      server.close();
      server.closeAllConnections();
    });
    await once(server, "listening");
    const { port } = /** @type {net.AddressInfo} */ (server.address());
    const visitors = new Visitors(port, 2);
    for (let i = 0; i < 200 && visitors.failures.size === 0; i += 1) {
      await sleep(20);
    }
    await visitors.leave();
    assert.deepEqual([...visitors.failures.keys()], ["ECONNRESET"]);
    assert.equal(visitors.answered, 0);
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

describe("Two listeners for one signal", () => {
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

  it("logs once that it has closed, whichever signals come", async (t) => {
    const { port, pids, exit, closed, lines } = await start(t);
    const slow = get(port, "/slow");
    await sleep(150);
    process.kill(pids[0], "SIGINT");
    await sleep(50);
    process.kill(pids[0], "SIGTERM");
    assert.equal(await slow, "done slowly\n");
    assert.deepEqual(await exit, [0, null]);
    await closed;
    assert.equal(closings(lines), 1);
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

  it("has ended before Docker's ten seconds are over, notice and all", async (t) => {
    const { port, pids, exit } = await start(t, ["server.js"], {
      NOTICE: "7900",
    });
    const socket = net.connect(port, "127.0.0.1");
    t.after(() => socket.destroy());
    socket.on("error", () => {});
    await once(socket, "connect");
    socket.write("GET / HT");
    await sleep(100);
    process.kill(pids[0]);
    const begin = performance.now();
    assert.deepEqual(await exit, [0, null]);
    const time = performance.now() - begin;
    assert.ok(time > 7800 && time < 9800, `ended after ${time} ms`);
  });

  it("ends a second after its deadline, whatever keeps it alive", async (t) => {
    const { pids, exit } = await start(
      t,
      ["server.js"],
      before("setInterval(() => {}, 1000)", true),
    );
    process.kill(pids[0]);
    const begin = performance.now();
    const patience = sleep(15_000, "it stays", { ref: false });
    assert.deepEqual(await Promise.race([exit, patience]), [0, null]);
    const time = performance.now() - begin;
    assert.ok(time > 8900, `ended after ${time} ms`);
  });

  for (const NOTICE of ["soon", "-1", "1e9", "12345678", "0.5", "8000"]) {
    it(`doesn't start with a notice of ${NOTICE}`, async () => {
      const child = spawn(process.execPath, ["server.js"], {
        cwd: FOLDER,
        env: { ...process.env, PORT: "0", NOTICE },
        stdio: "ignore",
        timeout: 5000,
      });
      assert.deepEqual(await once(child, "exit"), [1, null]);
    });
  }
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

  it("finishes what is under way also when a second error follows", async (t) => {
    const { port, exit, lines } = await start(t);
    const slow = get(port, "/slow");
    await sleep(50);
    await get(port, "/crash");
    await get(port, "/crash");
    assert.equal(await slow, "done slowly\n");
    assert.deepEqual(await exit, [1, null]);
    const fatal = lines.filter((line) => line.includes('"level":"fatal"'));
    assert.equal(fatal.length, 2);
  });

  it("ends with 1 also when a signal comes on the way out", async (t) => {
    const { port, pids, exit, closed, lines } = await start(t);
    await get(port, "/crash");
    const slow = get(port, "/slow");
    while (lines.length < 2) await sleep(10);
    process.kill(pids[0]);
    assert.equal(await slow, "done slowly\n");
    assert.deepEqual(await exit, [1, null]);
    await closed;
    assert.equal(closings(lines), 1);
  });

  it("takes no new requests, whatever the notice", async (t) => {
    const { port, exit, lines } = await start(t, ["server.js"], {
      NOTICE: "3000",
    });
    const slow = sleep(100).then(() => get(port, "/slow"));
    await get(port, "/crash");
    while (lines.length < 2) await sleep(10);
    const fresh = { headers: { connection: "close" } };
    await assert.rejects(fetch(`http://127.0.0.1:${port}/work`, fresh));
    assert.equal(await slow, "done slowly\n");
    assert.deepEqual(await exit, [1, null]);
  });

  it("ends the notice that it gives", async (t) => {
    const { port, pids, exit } = await start(t, ["server.js"], {
      NOTICE: "7000",
    });
    await crash(port);
    process.kill(pids[0]);
    const begin = performance.now();
    assert.deepEqual(await exit, [1, null]);
    const time = performance.now() - begin;
    assert.ok(time < 4000, `ended after ${time} ms`);
  });

  it("tells the log also when all is closed already", async (t) => {
    const { port, pids, exit, closed, lines } = await start(t);
    await crash(port);
    process.kill(pids[0]);
    assert.deepEqual(await exit, [1, null]);
    await closed;
    assert.match(lines[1], /"message":"closed"/);
    assert.match(lines[2], /"level":"fatal".*nobody catches this/);
  });
});

describe("The successor", () => {
  it("isn't taken for one because its parent can talk to it", async (t) => {
    const child = spawn(process.execPath, ["server.js"], {
      cwd: FOLDER,
      env: { ...process.env, PORT: "0" },
      stdio: ["ignore", "pipe", "inherit", "ipc"],
    });
    t.after(() => child.kill("SIGKILL"));
    /** @type {unknown[]} */
    const said = [];
    child.on("message", (message) => said.push(message));
    const { stdout } = child;
    assert.ok(stdout, "its output isn't piped");
    const exit = once(child, "exit");
    const listening = once(createInterface(stdout), "line");
    const patience = sleep(5000, [""], { ref: false });
    const [line] = await Promise.race([listening, patience]);
    assert.match(line, LISTENING);
    child.kill();
    assert.deepEqual(await exit, [0, null]);
    assert.deepEqual(said, []);
  });

  for (const [what, env, reason] of /** @type {const} */ ([
    ["ends", before("process.exit(3)"), "the new process ended with 3"],
    [
      "can't be started",
      before('process.execPath = "/nowhere"', true),
      "spawn /nowhere ENOENT",
    ],
    [
      "doesn't listen within ten seconds",
      before("await new Promise(() => setInterval(() => {}, 1000))"),
      "the new process ended with SIGKILL",
    ],
  ])) {
    it(`may be asked for again when the new version ${what}`, async (t) => {
      const { pids, port, exit, lines } = await start(
        t,
        ["server.js"],
        env,
      );
      const failed = () =>
        lines.filter((line) => line.includes('"not replaced"'));
      process.kill(pids[0], "SIGUSR2");
      for (let i = 0; i < 600 && failed().length < 1; i += 1)
        await sleep(25);
      assert.ok(failed()[0]?.includes(reason), lines.join("\n"));
      assert.equal(await get(port, "/work"), "done\n");
      if (!what.includes("ten seconds")) {
        process.kill(pids[0], "SIGUSR2");
        for (let i = 0; i < 200 && failed().length < 2; i += 1) {
          await sleep(25);
        }
        assert.equal(failed().length, 2);
      }
      process.kill(pids[0]);
      assert.deepEqual(await exit, [0, null]);
    });
  }

  it("lives on when the old one breaks in the middle of a deploy", async (t) => {
    const slow = "await new Promise((done) => setTimeout(done, 1000))";
    const { pids, port, until, exit, closed, lines } = await start(
      t,
      ["server.js"],
      before(slow),
    );
    process.kill(pids[0], "SIGUSR2");
    await crash(port);
    await until(2);
    assert.deepEqual(await exit, [1, null]);
    const listening = lines.findLast((line) => LISTENING.test(line)) ?? "";
    const [, latest = ""] = LISTENING.exec(listening) ?? [];
    assert.equal(Number(await get(Number(latest), "/pid")), pids[1]);
    process.kill(pids[1]);
    await closed;
    assert.equal(closings(lines), 2);
  });

  for (const path of ["/healthz", "/slow"]) {
    it(`has one successor when two are asked for during ${path}`, async (t) => {
      const { pids, port, until, exit, closed, lines } = await start(t);
      const asked = get(port, path);
      await sleep(50);
      process.kill(pids[0], "SIGUSR2");
      await sleep(20);
      process.kill(pids[0], "SIGUSR2");
      await until(2);
      await asked;
      assert.deepEqual(await exit, [0, null]);
      assert.equal(closings(lines), 1);
      const pid = await get(port, "/pid");
      assert.equal(Number(pid), pids[1]);
      process.kill(pids[1]);
      // Nobody else holds the pipe.
      await closed;
      assert.equal(pids.length, 2, lines.join("\n"));
    });
  }

  it("has none when it stops", async (t) => {
    const { pids, port, exit, closed, lines } = await start(t);
    const slow = get(port, "/slow");
    await sleep(150);
    process.kill(pids[0]);
    await sleep(20);
    process.kill(pids[0], "SIGUSR2");
    assert.equal(await slow, "done slowly\n");
    assert.deepEqual(await exit, [0, null]);
    await closed;
    assert.equal(closings(lines), 1);
    assert.equal(pids.length, 1, lines.join("\n"));
  });

  for (const time of [1, 30, 60, 90, 120, 200]) {
    it(`isn't left behind when the server is stopped after ${time} ms`, async (t) => {
      const { pids, port, exit, closed, lines } = await start(t);
      const slow = get(port, "/slow");
      await sleep(50);
      process.kill(pids[0], "SIGUSR2");
      await sleep(time);
      // Once the successor listens, the deploy is done.
      const isDone = pids.length === 2;
      process.kill(pids[0]);
      assert.equal(await slow, "done slowly\n");
      assert.deepEqual(await exit, [0, null]);
      if (isDone) process.kill(pids[1]);
      await closed;
      assert.ok(await areGone(pids), lines.join("\n"));
    });
  }

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

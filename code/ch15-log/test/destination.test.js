import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { PassThrough, Writable } from "node:stream";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Kept, linesOf } from "../../contracts/log/index.js";
import {
  lacks,
  makeFolder,
  read,
  runProgram,
  startProgram,
} from "../../contracts/log/run.js";
import { createLogger } from "../index.js";
import { Destination } from "../lib/log/destination.js";

/** @import { TestContext } from "node:test" */

const INDEX = new URL("../index.js", import.meta.url).href;

const isRoot = process.getuid?.() === 0;

/** @param {() => boolean} isTrue */
async function waitUntil(isTrue) {
  for (let i = 0; i < 400 && !isTrue(); i += 1) await sleep(10);
  assert.ok(isTrue(), String(isTrue));
}

/** @param {any[]} lines */
const countLost = (lines) =>
  lines.reduce((sum, { dropped = 0 }) => sum + dropped, 0);

/** Exchanges a function of node:fs until the test is over.
 * @param {TestContext} t @param {"write" | "writeSync"} name @param {any} fn */
function exchange(t, name, fn) {
  const original = fs[name];
  const restore = () => {
    Object.assign(fs, { [name]: original });
    syncBuiltinESMExports();
  };
  Object.assign(fs, { [name]: fn });
  syncBuiltinESMExports();
  t.after(restore);
  return { original, restore };
}

describe("Levels and children", () => {
  it("writes what is at least as grave as its level", async () => {
    const stream = new Kept();
    const logger = createLogger({ destination: stream, level: "warn" });
    for (const level of [
      "trace",
      "debug",
      "info",
      "warn",
      "error",
      "fatal",
    ]) {
      logger[level](level);
      const isWritten = ["warn", "error", "fatal"].includes(level);
      assert.equal(logger.isEnabled(level), isWritten);
    }
    assert.equal(logger.isEnabled("nonsense"), false);
    await logger.close();
    const levels = stream.lines.map(({ level }) => level);
    assert.deepEqual(levels, ["warn", "error", "fatal"]);
  });

  it("gives children's lines what their parents' have", async () => {
    const stream = new Kept();
    const logger = createLogger({ destination: stream, fields: { a: 1 } });
    const child = logger.child({ b: 2, secret: "x" }).child({ c: 3 });
    child.info("m", { d: 4 });
    logger.info("m");
    await logger.close();
    const [first, second] = stream.lines;
    const { time, ...fields } = first;
    assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const ours = { level: "info", message: "m", a: 1 };
    assert.deepEqual(fields, {
      ...ours,
      b: 2,
      secret: "[redacted]",
      c: 3,
      d: 4,
    });
    assert.deepEqual(second, { time: second.time, ...ours });
  });

  it("has no name twice in a line", async () => {
    const stream = new Kept();
    const logger = createLogger({
      destination: stream,
      fields: { a: 1, b: 1 },
    });
    logger.child({ a: 2 }).info("m", { b: 3 });
    await logger.close();
    assert.equal(stream.text.match(/"a"/g)?.length, 1);
    assert.equal(stream.text.match(/"b"/g)?.length, 1);
    assert.equal(stream.lines[0].a, 2);
    assert.equal(stream.lines[0].b, 3);
  });

  /** @type {[what: string, bound: any, args: [any, any], expected: object][]} */
  const named = [
    ["time_", { time_: 1 }, ["m", { time: 2 }], { time_: 2 }],
    ["value", { value: 1 }, ["m", "text"], { value: "text" }],
  ];
  for (const [name, bound, args, expected] of named) {
    it(`writes ${name} once, whatever it is made of`, async () => {
      const stream = new Kept();
      const logger = createLogger({ destination: stream, fields: bound });
      logger.info(...args);
      await logger.close();
      assert.equal(stream.text.split(`"${name}":`).length, 2, stream.text);
      for (const [key, value] of Object.entries(expected)) {
        assert.equal(stream.lines[0][key], value);
      }
    });
  }

  const unlucky = Object.assign(new Error("unlucky"), { code: 7 });
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  /** @type {[what: string, bound: any, args: [any, any], rest: object][]} */
  const errors = [
    ["as fields", { err: 1 }, ["m", unlucky], { message: "m" }],
    ["whose code a logger has", { code: 8 }, ["m", unlucky], { code: 8 }],
    ["with a field err", {}, [unlucky, { err: 1 }], { err_: 1 }],
    ["with a text", {}, [unlucky, "text"], { value: "text" }],
    ["with what can't be read", {}, [unlucky, proxy], {}],
    ["in a logger's fields", unlucky, ["m", { a: 1 }], { a: 1 }],
  ];
  for (const [what, bound, args, rest] of errors) {
    it(`keeps an error ${what}`, async () => {
      const stream = new Kept();
      const logger = createLogger({ destination: stream });
      logger.child(bound).error(...args);
      await logger.close();
      const [line] = stream.lines;
      assert.equal(stream.text.match(/"err":/g)?.length, 1);
      assert.equal(line.err.code, 7);
      assert.match(line.err.stack, /^Error: unlucky\n/);
      for (const [key, value] of Object.entries(rest)) {
        assert.equal(line[key], value, key);
      }
    });
  }

  it("keeps two errors of one line", async () => {
    const stream = new Kept();
    const logger = createLogger({ destination: stream });
    logger.error(new Error("first"), new Error("second"));
    await logger.close();
    const [{ err, err_ }] = stream.lines;
    assert.deepEqual([err.message, err_.message], ["first", "second"]);
  });

  it("doesn't fail for children's fields", () => {
    const logger = createLogger({ destination: new Kept() });
    const fields = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error("no");
        },
      },
    );
    logger.child(fields).info("m");
    logger.child(/** @type {any} */ (null)).info("m", fields);
  });

  it("tells its options' mistakes", () => {
    for (const options of [
      { level: "loud" },
      { destination: 7 },
      { destination: { write() {} } },
      { destination: "/nonexistent/folder/a.log" },
      { redact: "password" },
      { fields: 1 },
      { bufferBytes: -1 },
      { roll: { bytes: 1 } },
      { destination: "x.log", roll: { size: 1 } },
      { colour: true },
    ]) {
      const message = JSON.stringify(options);
      const make = () => createLogger(/** @type {any} */ (options));
      assert.throws(make, { name: "UsageError" }, message);
    }
    assert.equal(fs.existsSync("x.log"), false);
  });
});

describe("Later, and many at once", () => {
  it("writes many lines with one call", async () => {
    let calls = 0;
    const stream = new Kept();
    const { write } = stream;
    stream.write = (/** @type {any} */ ...args) => {
      calls += 1;
      return write.apply(stream, /** @type {any} */ (args));
    };
    const logger = createLogger({ destination: stream });
    for (let i = 0; i < 100; i += 1) logger.info("m", { i });
    assert.equal(calls, 0);
    await waitUntil(() => stream.text !== "");
    assert.equal(calls, 1);
    assert.deepEqual(
      stream.lines.map(({ i }) => i),
      [...Array(100).keys()],
    );
    assert.deepEqual(logger.counters, { written: 100, dropped: 0 });
  });

  it("holds no more than it may, counts the rest, and says so", async () => {
    /** @type {(() => void)[]} */
    const held = [];
    const chunks = [];
    let isHolding = true;
    const stream = new Writable({
      write(chunk, _encoding, done) {
        chunks.push(chunk);
        if (isHolding) held.push(done);
        else done();
      },
    });
    const logger = createLogger({
      destination: stream,
      bufferBytes: 10_000,
    });
    logger.info("first");
    await waitUntil(() => held.length === 1);
    for (let i = 0; i < 1000; i += 1) logger.info("m", { i });
    const { dropped } = logger.counters;
    assert.ok(dropped > 800 && dropped < 900, String(dropped));
    isHolding = false;
    held.shift()?.();
    assert.equal(await logger.flush(), true);
    assert.ok(chunks[1].length <= 10_000, "the chunk is within the bound");
    logger.info("last");
    await logger.close();
    const lines = linesOf(Buffer.concat(chunks).toString());
    assert.equal(countLost(lines), dropped);
    assert.equal(lines.length - 3 + dropped, 1000);
    assert.equal(lines.at(-1).message, "last");
    assert.equal(lines.at(-2).message, "lines were lost");
    assert.equal(lines.at(-2).level, "warn");
  });

  it("outlives its stream", async () => {
    const stream = new PassThrough();
    const logger = createLogger({ destination: stream });
    logger.info("m");
    stream.destroy(new Error("EIO"));
    await sleep(100);
    logger.info("m");
    assert.equal(await logger.flush(), false);
    assert.equal(await logger.close(), false);
  });

  it("outlives a failure whose code is a number", async () => {
    const stream = new PassThrough();
    const logger = createLogger({ destination: stream });
    stream.destroy(Object.assign(new Error("gone"), { code: 20 }));
    await sleep(10);
    const warned = once(process, "warning");
    logger.info("m");
    assert.equal(await logger.flush(), false);
    assert.equal((await warned)[0].code, "20");
    await logger.close();
  });

  it("writes to standard output from a worker thread", async () => {
    const inThread = `import(${JSON.stringify(INDEX)}).then((velocy) => {
      const logger = velocy.createLogger();
      logger.info("from a thread");
      return logger.close();
    });`;
    const source = `
      const { Worker } = await import("node:worker_threads");
      new Worker(${JSON.stringify(inThread)}, { eval: true });`;
    const { code, output, errors } = await runProgram(INDEX, source);
    assert.equal(code, 0, errors);
    assert.match(output, /"message":"from a thread"\}\n$/);
  });

  it("flushes what there was, and waits for nothing else", async () => {
    const stream = new Kept();
    const logger = createLogger({ destination: stream });
    assert.equal(await logger.flush(), true);
    logger.info("m");
    assert.equal(await logger.flush(), true);
    assert.equal(stream.lines.length, 1);
  });
});

describe("A pipe that nobody empties", () => {
  const skip = lacks("mkfifo");

  it("waits for a reader, without waiting", { skip }, async (t) => {
    const path = join(makeFolder(t), "pipe");
    execFileSync("mkfifo", [path]);
    const logger = createLogger({
      destination: path,
      bufferBytes: 100_000,
    });
    t.after(() => logger.close());
    let longest = 0;
    for (let i = 0; i < 5000; i += 1) {
      const start = performance.now();
      logger.info("m", { i });
      if (i % 100 === 0) await new Promise(setImmediate);
      longest = Math.max(longest, performance.now() - start);
    }
    assert.ok(longest < 500, `${longest} ms`);
    const { dropped } = logger.counters;
    assert.ok(dropped > 0, "some lines were dropped");
    let text = "";
    const reader = fs.createReadStream(path, "utf8");
    t.after(() => reader.destroy());
    reader.on("data", (chunk) => {
      text += chunk;
    });
    assert.equal(await logger.flush(), true);
    logger.info("last");
    await waitUntil(() => text.endsWith('"last"}\n'));
    const lines = linesOf(text);
    assert.equal(countLost(lines), dropped);
    const numbers = lines.map(({ i }) => i).filter((i) => i !== undefined);
    assert.equal(numbers.length + dropped, 5000);
    assert.deepEqual(
      numbers,
      [...numbers].sort((a, b) => a - b),
    );
  });

  it("doesn't hold up a program whose output nobody reads", async () => {
    const program = startProgram(
      INDEX,
      `
      const logger = createLogger({ bufferBytes: 300_000 });
      for (let i = 0; i < 20_000; i += 1) {
        logger.info("m", { i });
        if (i % 100 === 0) await new Promise(setImmediate);
      }
      console.error(JSON.stringify({ ...logger.counters, rss: process.memoryUsage.rss() }));
      setTimeout(() => {}, 1000);`,
    );
    program.child.stdout.pause();
    await waitUntil(() => program.errors.endsWith("\n"));
    const { dropped, rss } = JSON.parse(program.errors);
    assert.ok(dropped > 10_000, "most lines were dropped");
    assert.ok(rss < 200e6, `${rss} bytes of memory`);
    program.child.stdout.resume();
    assert.deepEqual(await program.ended, [0, null]);
    const lines = linesOf(program.output);
    assert.equal(countLost(lines), dropped);
    assert.equal(lines.length - 1 + dropped, 20_000);
  });

  // Ctrl-S is byte 19. What the terminal shows is thrown away.
  const TERMINAL = `
import os, pty, sys, threading, time
pid, fd = pty.fork()
if pid == 0: os.execvp(sys.argv[1], sys.argv[1:])
def drain():
    try:
        while os.read(fd, 65536): pass
    except OSError: pass
threading.Thread(target=drain, daemon=True).start()
time.sleep(1)
os.write(fd, bytes([19]))
time.sleep(4)
os.kill(pid, 9)`;

  it("isn't stopped by a terminal that is", {
    skip: lacks("python3"),
  }, async (t) => {
    const path = join(makeFolder(t), "alive");
    const source = `
      const logger = createLogger({ bufferBytes: 10_000 });
      setInterval(() => {
        for (let i = 0; i < 100; i += 1) logger.info("m");
      }, 10);
      setTimeout(() => fs.writeFileSync(destination, "alive"), 2000);`;
    const program = `
      const fs = await import("node:fs");
      const { createLogger } = await import(${JSON.stringify(INDEX)});
      const destination = ${JSON.stringify(path)};
      ${source}`;
    const args = [process.execPath, "--input-type=module", "-e", program];
    execFileSync("python3", ["-c", TERMINAL, ...args], { stdio: "ignore" });
    assert.equal(read(path), "alive");
  });

  it("tells of a pipe that was full first, and then closed", async () => {
    const program = startProgram(
      INDEX,
      `
      const logger = createLogger({ bufferBytes: 200_000 });
      for (let i = 0; i < 5000; i += 1) logger.info("m");
      setTimeout(() => console.error("full"), 300);
      process.on("warning", ({ code }) => console.error("warned", code));
      setTimeout(() => process.exit(), 3000);
      `,
    );
    program.child.stdout.pause();
    await waitUntil(() => program.errors.includes("full"));
    program.child.stdout.destroy();
    await program.ended;
    assert.match(program.errors, /warned EPIPE/);
    assert.equal(program.errors.match(/warned/g)?.length, 1);
  });

  it("tries again after 5 milliseconds, then after 10", (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    let tries = 0;
    const sink = /** @type {any} */ ({
      prepare: () => undefined,
      write(/** @type {Buffer} */ _bytes, /** @type {any} */ done) {
        tries += 1;
        done(Object.assign(new Error("full"), { code: "EAGAIN" }), 0);
      },
    });
    const destination = new Destination(sink, 100_000, String);
    // Enough to be written at once, while lines are still gathered.
    for (let i = 0; i < 200; i += 1) destination.add("x".repeat(99));
    for (const [milliseconds, expected] of [
      [0, 1],
      [4, 1],
      [1, 2],
      [9, 2],
      [1, 3],
    ]) {
      t.mock.timers.tick(milliseconds);
      assert.equal(tries, expected);
    }
  });

  it("outlives the reader of its output", async () => {
    const program = startProgram(
      INDEX,
      `
      const logger = createLogger({ bufferBytes: 10_000 });
      const timer = setInterval(() => logger.info("m"), 1);
      setTimeout(() => {
        clearInterval(timer);
        console.error(JSON.stringify(logger.counters));
      }, 1000);`,
    );
    program.child.stdout.once("data", () => program.child.stdout.destroy());
    assert.deepEqual(await program.ended, [0, null]);
    assert.match(program.errors, /EPIPE/);
    const { written, dropped } = JSON.parse(
      program.errors.trim().split("\n").at(-1) ?? "",
    );
    assert.ok(written > 0 && dropped > 0, program.errors);
  });
});

describe("The last lines", () => {
  it("gives lines at the end no second each", {
    skip: lacks("mkfifo"),
  }, async (t) => {
    const path = join(makeFolder(t), "pipe");
    execFileSync("mkfifo", [path]);
    const source = `
      const logger = createLogger({ destination });
      const other = createLogger({ destination });
      const lines = (count) => {
        for (let i = 0; i < count; i += 1) logger.info("m");
        other.info("m");
      };
      lines(3000);
      let start;
      process.prependListener("exit", () => { start = performance.now(); });
      process.on("exit", () => {
        lines(4);
        const { written, dropped } = logger.counters;
        const time = performance.now() - start;
        console.log(JSON.stringify({ time, written, dropped }));
      });
      process.exit();`;
    const { output } = await runProgram(INDEX, source, path);
    const { time, written, dropped } = JSON.parse(output);
    assert.ok(time < 1900, `${time} ms`);
    assert.ok(dropped > 0, output);
    assert.equal(written + dropped, 3004);
  });

  it("counts what a full disk has taken, also at the end", async (t) => {
    const path = join(makeFolder(t), "a.log");
    const source = `
      const logger = createLogger({ destination });
      for (let i = 0; i < 300; i += 1) logger.info("a line", { i });
      process.on("exit", () => console.log(JSON.stringify(logger.counters)));
      process.exit();`;
    const limit = [
      "sh",
      "-c",
      'trap "" XFSZ; ulimit -f 8; exec "$@"',
      "sh",
    ];
    const { output } = await runProgram(INDEX, source, path, limit);
    const { written, dropped } = JSON.parse(output);
    assert.equal(read(path).split("\n").length - 1, written);
    assert.equal(written + dropped, 300);
  });

  it("counts what a stream that is closed doesn't take", async () => {
    const source = `
      const { Writable } = await import("node:stream");
      const stream = new Writable({ write() {} });
      const logger = createLogger({ destination: stream });
      logger.info("m");
      process.on("exit", () => console.log(JSON.stringify(logger.counters)));
      stream.destroy();
      process.exit();`;
    const { output } = await runProgram(INDEX, source);
    assert.deepEqual(JSON.parse(output), { written: 0, dropped: 1 });
  });

  const thousand = `
    const logger = createLogger({ destination });
    for (let i = 0; i < 1000; i += 1) logger.info("m", { i });`;

  /** @type {[how: string, source: string, ending: object][]} */
  const endings = [
    ["when nothing is left to do", "", { code: 0, signal: null }],
    ["at process.exit", "process.exit(3);", { code: 3, signal: null }],
    [
      "while it is being closed",
      "logger.close(); process.exit(3);",
      { code: 3, signal: null },
    ],
    [
      "at an error that nobody catches",
      "throw new Error('no');",
      { code: 1, signal: null },
    ],
    [
      "at a rejection that nobody catches",
      "Promise.reject(new Error('no')); await 1;",
      { code: 1, signal: null },
    ],
    [
      "at SIGTERM",
      "process.kill(process.pid, 'SIGTERM'); setInterval(() => {}, 1000);",
      { code: null, signal: "SIGTERM" },
    ],
    [
      "at SIGINT",
      "process.kill(process.pid, 'SIGINT'); setInterval(() => {}, 1000);",
      { code: null, signal: "SIGINT" },
    ],
    [
      "at process.exit while a write is under way",
      "setImmediate(() => { for (let i = 0; i < 1000; i += 1) logger.info('x'); process.exit(); });",
      { code: 0, signal: null, more: 1000 },
    ],
    [
      "of what listens to the exit",
      "process.on('exit', () => logger.info('x'));",
      { code: 0, signal: null, more: 1 },
    ],
  ];
  for (const [how, source, { more = 0, ...ending }] of /** @type {any} */ (
    endings
  )) {
    it(`writes all, in order, to a file ${how}`, async (t) => {
      const path = join(makeFolder(t), "a.log");
      const result = await runProgram(INDEX, thousand + source, path);
      const { code, signal } = result;
      assert.deepEqual({ code, signal }, ending);
      const lines = linesOf(read(path));
      const numbers = lines.map(({ i }) => i).slice(0, 1000);
      assert.deepEqual(numbers, [...Array(1000).keys()]);
      assert.equal(lines.length, 1000 + more);
    });
  }

  for (const how of ["", "process.exit();"]) {
    it(`writes all to a pipe ${how}`, async () => {
      const source = `${thousand} for (let i = 0; i < 4000; i += 1) logger.info("x"); ${how}`;
      const { output } = await runProgram(INDEX, source);
      assert.equal(linesOf(output).length, 5000);
    });
  }

  it("loses at kill -9 only what is younger than a moment", async (t) => {
    const path = join(makeFolder(t), "a.log");
    const source = `
      const logger = createLogger({ destination });
      for (let i = 0; i < 10; i += 1) logger.info("old");
      setTimeout(() => {
        logger.info("young");
        process.kill(process.pid, "SIGKILL");
      }, 1000);`;
    const { signal } = await runProgram(INDEX, source, path);
    assert.equal(signal, "SIGKILL");
    assert.equal(linesOf(read(path)).length, 10);
  });

  for (const method of ["on", "once"]) {
    it(`leaves the signal to whoever listens with ${method}`, async (t) => {
      const path = join(makeFolder(t), "a.log");
      const source = `${thousand}
        process.${method}("SIGTERM", () => setTimeout(() => process.exit(7), 200));
        process.kill(process.pid, "SIGTERM");
        setInterval(() => {}, 1000);`;
      const { code } = await runProgram(INDEX, source, path);
      assert.equal(code, 7);
      assert.equal(linesOf(read(path)).length, 1000);
    });
  }

  it("leaves standard output open when it is closed", async () => {
    const source = `
      const logger = createLogger();
      logger.info("m");
      await logger.close();
      console.log("still open");`;
    const { code, output } = await runProgram(INDEX, source);
    assert.equal(code, 0);
    assert.match(output, /"message":"m"\}\nstill open\n$/);
  });

  it("counts what waits behind a write that hangs", async () => {
    const stream = new Writable({ write() {} });
    const logger = createLogger({ destination: stream });
    logger.info("hangs");
    const flushed = logger.flush();
    for (let i = 0; i < 3; i += 1) logger.info("waits");
    assert.equal(await logger.close(), false);
    assert.equal(await flushed, false);
    assert.deepEqual(logger.counters, { written: 0, dropped: 3 });
  });

  it("closes its file once", async (t) => {
    const folder = makeFolder(t);
    const logger = createLogger({ destination: join(folder, "a.log") });
    await logger.close();
    // It gets the number that has become free.
    const other = fs.openSync(join(folder, "other"), "w");
    assert.equal(await logger.close(), true);
    fs.writeSync(other, "still open");
    fs.closeSync(other);
    assert.equal(read(join(folder, "other")), "still open");
  });

  it("doesn't wait for ever for a pipe", {
    skip: lacks("mkfifo"),
  }, async (t) => {
    const path = join(makeFolder(t), "pipe");
    execFileSync("mkfifo", [path]);
    const start = performance.now();
    const { code } = await runProgram(INDEX, `${thousand}`, path);
    assert.equal(code, 0);
    assert.ok(
      performance.now() - start < 8000,
      "the process ended in time",
    );
  });

  it("keeps no process alive, and no signal that it doesn't need", async () => {
    const names = ["exit", "SIGTERM", "SIGINT", "SIGHUP"];
    const count = () => names.map((name) => process.listenerCount(name));
    const before = count();
    const loggers = Array.from({ length: 20 }, () =>
      createLogger({ destination: new Kept() }),
    );
    for (const logger of loggers) await logger.close();
    assert.deepEqual(count(), before);
  });
});

/** Logs into a folder that has a megabyte. @param {string} folder */
async function fillDisk(folder) {
  const path = join(folder, "a.log");
  const logger = createLogger({ destination: path, bufferBytes: 100_000 });
  fs.writeFileSync(join(folder, "fill"), "x".repeat(900_000));
  for (let i = 0; i < 5000; i += 1) {
    logger.info("m", { i });
    if (i % 50 === 0) await new Promise(setImmediate);
  }
  assert.equal(await logger.flush(), false);
  const { dropped } = logger.counters;
  assert.ok(dropped > 0, "some lines were dropped");
  fs.rmSync(join(folder, "fill"));
  assert.equal(await logger.flush(), true);
  logger.info("last");
  await logger.close();
  const lines = linesOf(read(path));
  assert.equal(countLost(lines), dropped);
  const kept = lines.filter(({ message }) => message === "m");
  assert.equal(kept.length + dropped, 5000);
  assert.equal(lines.at(-1).message, "last");
}

describe("A disk that is full", () => {
  it("waits, tells it once, and goes on when there is room", async (t) => {
    const path = join(makeFolder(t), "a.log");
    /** @type {any[]} */
    const warnings = [];
    const listen = (/** @type {any} */ warning) => warnings.push(warning);
    process.on("warning", listen);
    t.after(() => process.off("warning", listen));
    let isFull = true;
    let tries = 0;
    // Takes ten bytes more, as a disk does that is nearly full.
    const { original } = exchange(
      t,
      "write",
      (/** @type {any[]} */ ...args) => {
        const [fd, bytes, offset, , position, done] = args;
        tries += 1;
        if (tries === 1)
          return Reflect.apply(original, fs, [
            fd,
            bytes,
            offset,
            10,
            position,
            done,
          ]);
        if (!isFull) return Reflect.apply(original, fs, args);
        setImmediate(
          done,
          Object.assign(new Error("no space"), { code: "ENOSPC" }),
        );
        return undefined;
      },
    );
    const logger = createLogger({ destination: path, bufferBytes: 5000 });
    t.after(() => logger.close());
    logger.info("first");
    assert.equal(await logger.flush(), false);
    for (let i = 0; i < 100; i += 1) logger.info("m", { i });
    assert.ok(tries > 2, String(tries));
    isFull = false;
    assert.equal(await logger.flush(), true);
    logger.info("last");
    assert.equal(await logger.flush(), true);
    const lines = linesOf(read(path));
    assert.equal(lines[0].message, "first");
    assert.equal(lines.length - 3 + countLost(lines), 100);
    assert.equal(
      warnings.filter(({ code }) => code === "ENOSPC").length,
      1,
    );
  });

  for (const code of ["EIO", "EDQUOT", "EBADF"]) {
    it(`outlives ${code}`, async (t) => {
      const path = join(makeFolder(t), "a.log");
      const { restore } = exchange(
        t,
        "write",
        (/** @type {any[]} */ ...args) => {
          setImmediate(args[5], Object.assign(new Error(code), { code }));
        },
      );
      const logger = createLogger({ destination: path });
      t.after(() => logger.close());
      logger.info("m");
      assert.equal(await logger.flush(), false);
      restore();
      assert.equal(await logger.flush(), true);
      assert.equal(linesOf(read(path)).length, 1);
    });
  }

  // A file system of a megabyte, and a real ENOSPC.
  const skip = !isRoot && "a tmpfs can be mounted only by root";
  it("goes on when a real disk has room again", { skip }, async (t) => {
    const folder = makeFolder(t);
    try {
      execFileSync(
        "mount",
        ["-t", "tmpfs", "-o", "size=1m", "tmpfs", folder],
        { stdio: "ignore" },
      );
    } catch {
      t.skip("a tmpfs can't be mounted here");
      return;
    }
    try {
      await fillDisk(folder);
    } finally {
      // Lazily, or a file that is still open would hide why it is.
      execFileSync("umount", ["--lazy", folder]);
    }
  });

  it("begins a line of its own behind half a line", async (t) => {
    const path = join(makeFolder(t), "a.log");
    fs.writeFileSync(path, '{"time":"20');
    const logger = createLogger({ destination: path });
    logger.info("m");
    await logger.close();
    const [half, line, end] = read(path).split("\n");
    assert.equal(half, '{"time":"20');
    assert.equal(JSON.parse(line).message, "m");
    assert.equal(end, "");
  });

  it("starts also when it can't end half a line", async (t) => {
    const path = join(makeFolder(t), "a.log");
    fs.writeFileSync(path, '{"time":"20');
    const { restore } = exchange(t, "writeSync", () => {
      throw Object.assign(new Error("no space"), { code: "ENOSPC" });
    });
    const warned = once(process, "warning");
    const logger = createLogger({ destination: path });
    restore();
    assert.equal((await warned)[0].code, "ENOSPC");
    logger.info("m");
    assert.equal(await logger.close(), true);
    assert.match(read(path), /^\{"time":"20\{"time":.*"message":"m"\}\n$/);
  });

  it("takes nothing after close", async (t) => {
    const path = join(makeFolder(t), "a.log");
    const logger = createLogger({ destination: path });
    logger.info("m");
    assert.equal(await logger.close(), true);
    logger.info("m");
    assert.deepEqual(logger.counters, { written: 1, dropped: 1 });
    assert.equal(linesOf(read(path)).length, 1);
  });
});

describe("One file, then the next", () => {
  /** @param {string} folder */
  const readAll = (folder) =>
    fs
      .readdirSync(folder)
      .sort()
      .map((name) => linesOf(read(join(folder, name))));

  it("begins a new file when one is full, and loses nothing", async (t) => {
    const folder = makeFolder(t);
    const destination = join(folder, "a.log");
    const roll = { bytes: 20_000, keep: Infinity };
    const logger = createLogger({ destination, roll });
    for (let i = 0; i < 5000; i += 1) {
      logger.info("m", { i });
      if (i % 100 === 0) await logger.flush();
    }
    await logger.close();
    assert.equal(logger.counters.dropped, 0);
    const files = readAll(folder);
    assert.ok(files.length > 5, String(files.length));
    const numbers = files
      .flat()
      .map(({ i }) => i)
      .sort((a, b) => a - b);
    assert.deepEqual(numbers, [...Array(5000).keys()]);
    for (const name of fs.readdirSync(folder)) {
      assert.ok(
        fs.statSync(join(folder, name)).size < 30_000,
        `${name} is too large`,
      );
    }
  });

  it("keeps as many as it is told, and nobody else's go", async (t) => {
    const folder = makeFolder(t);
    const destination = join(folder, "a.log");
    for (const name of [
      "a.log.1",
      "a.log.bak",
      "ab.log",
      "a.log.2026-01-01",
    ]) {
      fs.writeFileSync(join(folder, name), "");
    }
    const logger = createLogger({
      destination,
      roll: { bytes: 1, keep: 2 },
    });
    for (let i = 0; i < 6; i += 1) {
      logger.info("m", { i });
      await logger.flush();
    }
    await logger.close();
    const names = fs.readdirSync(folder).sort();
    assert.equal(names.length, 4 + 1 + 2);
    const kept = names.filter((name) => /T.*Z-\d+$/.test(name));
    const numbers = kept.map(
      (name) => linesOf(read(join(folder, name)))[0].i,
    );
    assert.deepEqual(numbers, [3, 4]);
  });

  it("begins a new file each day", async (t) => {
    const folder = makeFolder(t);
    const destination = join(folder, "a.log");
    fs.writeFileSync(destination, '{"message":"old"}\n');
    const yesterday = Date.now() / 1000 - 24 * 60 * 60;
    fs.utimesSync(destination, yesterday, yesterday);
    const logger = createLogger({ destination, roll: { daily: true } });
    logger.info("today");
    await logger.flush();
    t.mock.timers.enable({ apis: ["Date"], now: Date.now() });
    t.mock.timers.tick(24 * 60 * 60 * 1000);
    logger.info("tomorrow");
    await logger.flush();
    logger.info("also tomorrow");
    t.mock.timers.reset();
    await logger.close();
    const files = readAll(folder).map((lines) =>
      lines.map(({ message }) => message),
    );
    const [current, ...rolled] = files;
    assert.deepEqual(current, ["tomorrow", "also tomorrow"]);
    assert.deepEqual(rolled.sort(), [["old"], ["today"]]);
  });

  it("gives a file that was empty at midnight the new day", async (t) => {
    const folder = makeFolder(t);
    const destination = join(folder, "a.log");
    const logger = createLogger({ destination, roll: { daily: true } });
    t.mock.timers.enable({ apis: ["Date"], now: Date.now() });
    t.mock.timers.tick(24 * 60 * 60 * 1000);
    for (const message of ["tomorrow", "also tomorrow"]) {
      logger.info(message);
      await logger.flush();
    }
    t.mock.timers.reset();
    await logger.close();
    const files = readAll(folder).map((lines) =>
      lines.map(({ message }) => message),
    );
    assert.deepEqual(files, [["tomorrow", "also tomorrow"]]);
  });

  it("opens a file anew at SIGHUP, and no line is lost or torn", async (t) => {
    const folder = makeFolder(t);
    const path = join(folder, "a.log");
    const program = startProgram(
      INDEX,
      `
      const logger = createLogger({ destination });
      let i = 0;
      const timer = setInterval(() => {
        // Few enough for a disk that is busy: none is to be dropped.
        for (let n = 0; n < 20; n += 1) logger.info("m", { i: i++ });
      }, 1);
      process.on("SIGUSR2", async () => {
        clearInterval(timer);
        await logger.close();
        console.log(JSON.stringify({ ...logger.counters, i }));
      });
      console.log("ready");`,
      path,
    );
    await waitUntil(() => program.output === "ready\n");
    for (let n = 0; n < 10; n += 1) {
      await sleep(50);
      fs.renameSync(path, join(folder, `a.log.${n}`));
      program.child.kill("SIGHUP");
      await waitUntil(() => fs.existsSync(path));
    }
    program.child.kill("SIGUSR2");
    assert.deepEqual(await program.ended, [0, null], program.errors);
    const { i, dropped, written } = JSON.parse(
      program.output.split("\n")[1],
    );
    assert.equal(dropped, 0);
    assert.equal(written, i);
    const files = readAll(folder);
    assert.equal(files.length, 11);
    const numbers = files
      .flat()
      .map((line) => line.i)
      .sort((a, b) => a - b);
    assert.deepEqual(numbers, [...Array(i).keys()]);
  });

  it("writes the whole line to the new file when the old took half", async (t) => {
    const folder = makeFolder(t);
    const path = join(folder, "a.log");
    let tries = 0;
    const { original } = exchange(
      t,
      "write",
      (/** @type {any[]} */ ...args) => {
        const [fd, bytes, offset, , position, done] = args;
        tries += 1;
        if (tries === 1)
          return Reflect.apply(original, fs, [
            fd,
            bytes,
            offset,
            100,
            position,
            done,
          ]);
        if (!fs.existsSync(`${path}.1`)) {
          setImmediate(
            done,
            Object.assign(new Error("full"), { code: "ENOSPC" }),
          );
          return undefined;
        }
        return Reflect.apply(original, fs, args);
      },
    );
    const logger = createLogger({ destination: path });
    for (let i = 0; i < 5; i += 1) logger.info("m", { i });
    assert.equal(await logger.flush(), false);
    fs.renameSync(path, `${path}.1`);
    process.emit("SIGHUP");
    await logger.close();
    const old = read(`${path}.1`).split("\n");
    assert.equal(old.length, 2);
    assert.equal(JSON.parse(old[0]).i, 0);
    assert.deepEqual(
      linesOf(read(path)).map(({ i }) => i),
      [1, 2, 3, 4],
    );
  });

  it("goes on with the old file where a new one can't be had", async (t) => {
    const folder = makeFolder(t);
    const path = join(folder, "logs", "a.log");
    fs.mkdirSync(join(folder, "logs"));
    const logger = createLogger({
      destination: path,
      roll: { bytes: 100 },
    });
    logger.info("m", { i: 0 });
    await logger.flush();
    fs.renameSync(join(folder, "logs"), join(folder, "moved"));
    const warned = once(process, "warning");
    for (let i = 1; i < 5; i += 1) {
      logger.info("m", { i });
      assert.equal(await logger.flush(), true);
    }
    process.emit("SIGHUP");
    logger.info("m", { i: 5 });
    assert.equal(await logger.close(), true);
    assert.equal((await warned)[0].code, "ENOENT");
    const lines = linesOf(read(join(folder, "moved", "a.log")));
    assert.deepEqual(
      lines.map(({ i }) => i),
      [0, 1, 2, 3, 4, 5],
    );
  });

  it("shares a file with other processes", async (t) => {
    const folder = makeFolder(t);
    const path = join(folder, "a.log");
    const source = `
      const logger = createLogger({ destination, roll: { bytes: 30_000, keep: 1000 } });
      for (let i = 0; i < 3000; i += 1) {
        logger.info("m", { i });
        if (i % 50 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
      }
      process.exit(logger.counters.dropped);`;
    const runs = Array.from({ length: 3 }, () =>
      runProgram(INDEX, source, path),
    );
    for (const { code, errors } of await Promise.all(runs)) {
      assert.equal(code, 0, errors);
    }
    const lines = readAll(folder).flat();
    const counts = new Array(3000).fill(0);
    for (const { i } of lines) counts[i] += 1;
    assert.deepEqual(new Set(counts), new Set([3]));
  });
});

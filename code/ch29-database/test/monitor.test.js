import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import net from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { look, monitor } from "../monitor.js";
import {
  add,
  database,
  goServer,
  NO_GO,
  NO_POSTGRES,
  NO_PROC,
  nodeServer,
} from "./rig.js";

/** Does nothing, then keeps a core busy until it is ended. */
const LATE_WORKER = `
  setTimeout(() => {
    console.log("busy");
    for (;;);
  }, 1_500);
`;

/** @param {string} file */
function readLines(file) {
  const [head, ...lines] = readFileSync(file, "utf8").trim().split("\n");
  return { head, lines: lines.map((line) => line.split(",")) };
}

describe("What ps calls CPU", { skip: NO_PROC }, () => {
  it("isn't in the CSV file: a second's share is that second's", async (t) => {
    const folder = mkdtempSync(path.join(tmpdir(), "monitor-"));
    t.after(() => rmSync(folder, { recursive: true }));
    const child = spawn(process.execPath, ["-e", LATE_WORKER]);
    t.after(() => void child.kill("SIGKILL"));
    await once(child.stdout, "data");
    const file = path.join(folder, "stats.csv");
    const over = new AbortController();
    const written = monitor(Number(child.pid), file, over.signal);
    await sleep(2_300);
    over.abort();
    await assert.rejects(written, { name: "AbortError" });
    const { head, lines } = readLines(file);
    assert.equal(head, "Timestamp,RAM (KB),CPU (%),Threads_Count,FD_Count");
    assert.equal(lines.length, 2);
    for (const [time, ram, cpu, threads, descriptors] of lines) {
      assert.ok(!Number.isNaN(Date.parse(time)), time);
      assert.ok(Number(ram) > 10_000, `${ram} KB`);
      // A busy machine gives it less than a core, never more.
      assert.ok(Number(cpu) > 20 && Number(cpu) < 115, `${cpu} %`);
      assert.ok(Number(threads) >= 1, threads);
      assert.ok(Number(descriptors) >= 3, descriptors);
    }
  });

  it("ends with the process", async (t) => {
    const child = spawn("sleep", ["0.5"]);
    const folder = mkdtempSync(path.join(tmpdir(), "monitor-"));
    t.after(() => rmSync(folder, { recursive: true }));
    const file = path.join(folder, "stats.csv");
    await assert.rejects(monitor(Number(child.pid), file), { code: "ENOENT" });
  });
});

describe("Threads that no compiler needs", { skip: NO_PROC || NO_POSTGRES }, () => {
  const ADA = { email: "ada@example.org", password: "correct horse" };
  /** @param {import("node:test").TestContext} t @param {Record<string, string>} env @param {string} host */
  async function threadsAdded(t, env, host) {
    const { port } = await database(t);
    const url = `postgres://postgres@${host}:${port}/`;
    const server = await nodeServer(t, { DATABASE_URL: url, ...env });
    const before = look(Number(server.pid)).threads;
    const { status } = await add(server.port, ADA);
    assert.equal(status, 201);
    return look(Number(server.pid)).threads - before;
  }

  it("come with the first look-up of a name: four", async (t) => {
    assert.equal(await threadsAdded(t, {}, "localhost"), 4);
  });

  it("are as many as UV_THREADPOOL_SIZE says", async (t) => {
    assert.equal(await threadsAdded(t, { UV_THREADPOOL_SIZE: "8" }, "localhost"), 8);
  });

  it("don't come where the database is called by its address", async (t) => {
    assert.equal(await threadsAdded(t, {}, "127.0.0.1"), 0);
  });
});

describe("Who hangs up", { skip: NO_PROC || NO_GO }, () => {
  const REQUEST =
    "POST /user HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\n{";

  /** @param {number} port */
  async function idleConnection(port) {
    const socket = net.connect(port, "127.0.0.1");
    socket.on("error", () => {});
    socket.write(REQUEST);
    await once(socket, "data");
    socket.resume();
    return socket;
  }

  for (const [name, start] of /** @type {const} */ ([
    ["Node", nodeServer],
    ["Go", goServer],
  ])) {
    it(`is ${name}, where it is told to after a while`, async (t) => {
      const { url } = await database(t);
      const env = { DATABASE_URL: url, IDLE_MS: "300" };
      const { port } = await start(t, env);
      const socket = await idleConnection(port);
      await once(socket, "end");
      socket.destroy();
    });

    it(`isn't ${name}, where it is told to keep them`, async (t) => {
      const { url } = await database(t);
      const env = { DATABASE_URL: url, IDLE_MS: "60000" };
      const { port } = await start(t, env);
      const socket = await idleConnection(port);
      let ended = false;
      socket.once("end", () => {
        ended = true;
      });
      await sleep(2_500);
      socket.destroy();
      assert.equal(ended, false);
    });
  }
});

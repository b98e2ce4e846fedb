import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import net from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { monitor } from "../monitor.js";
import {
  database,
  FOLDER,
  goServer,
  NO_GO,
  NO_PROC,
  nodeServer,
} from "./rig.js";

/** Uses half a second of a core's time, however long that takes, and rests. */
const WORKS_AND_RESTS = `
  setTimeout(() => {
    while (process.cpuUsage().user < 500_000);
    const { user, system } = process.cpuUsage();
    console.log((user + system) / 1e4);
    setInterval(() => {}, 1_000);
  }, 1_200);
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
    const file = path.join(folder, "stats.csv");
    const child = spawn(process.execPath, ["-e", WORKS_AND_RESTS]);
    t.after(() => void child.kill("SIGKILL"));
    const over = new AbortController();
    const written = monitor(Number(child.pid), file, over.signal);
    const [used] = await once(child.stdout, "data");
    await sleep(2_300);
    over.abort();
    await assert.rejects(written, { name: "AbortError" });
    const { head, lines } = readLines(file);
    assert.equal(head, "Timestamp,RAM (KB),CPU (%),Threads_Count,FD_Count");
    const shares = lines.map(([, , cpu]) => Number(cpu));
    const sum = shares.reduce((all, share) => all + share, 0);
    // A hundredth of a core, for a second, is 10 ms. What it used before the
    // monitor looked is missing, and seconds are a little long.
    assert.ok(sum > 0.6 * Number(used), `${shares} of ${used}`);
    assert.ok(sum < 1.1 * Number(used), `${shares} of ${used}`);
    assert.ok(shares[shares.length - 1] < 5, `${shares}`);
    for (const [time, ram, , threads, descriptors] of lines) {
      assert.ok(!Number.isNaN(Date.parse(time)), time);
      assert.ok(Number(ram) > 10_000, `${ram} KB`);
      assert.ok(Number(threads) >= 1, threads);
      assert.ok(Number(descriptors) >= 3, descriptors);
    }
  });

  it("ends with the process", async (t) => {
    const child = spawn("sleep", ["2.5"]);
    const folder = mkdtempSync(path.join(tmpdir(), "monitor-"));
    t.after(() => rmSync(folder, { recursive: true }));
    const file = path.join(folder, "stats.csv");
    await monitor(Number(child.pid), file);
    assert.notEqual(readLines(file).lines.length, 0);
  });

  it("ends with a process that is a zombie", async (t) => {
    // The shell's child ends, and the program that the shell becomes never
    // asks how.
    const shell = spawn("sh", ["-c", "sleep 0.5 & echo $!; exec sleep 10"]);
    t.after(() => void shell.kill());
    const [pid] = await once(shell.stdout, "data");
    const folder = mkdtempSync(path.join(tmpdir(), "monitor-"));
    t.after(() => rmSync(folder, { recursive: true }));
    const file = path.join(folder, "stats.csv");
    await monitor(Number(pid), file);
    assert.deepEqual(readLines(file).lines, []);
  });

  it("fails where there is no such process, or no place for the file", async () => {
    const child = spawn("true");
    await once(child, "exit");
    const gone = monitor(Number(child.pid), "/dev/null");
    await assert.rejects(gone, { code: "ENOENT" });
    const nowhere = monitor(process.pid, "/no/such/folder/stats.csv");
    await assert.rejects(nowhere, { code: "ENOENT" });
  });
});

describe("Threads that no compiler needs", { skip: NO_PROC }, () => {
  /** @param {Record<string, string>} env @param {string[]} words */
  async function threadsAdded(env, ...words) {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ["threads.cjs", ...words],
      { cwd: FOLDER, env: { ...process.env, ...env } },
    );
    const [before, after] = [...stdout.matchAll(/^\d+/gm)].map(Number);
    return after - before;
  }

  it("come with the first look-up of a name: four", async () => {
    assert.equal(await threadsAdded({}), 4);
  });

  it("are as many as UV_THREADPOOL_SIZE says", async () => {
    assert.equal(await threadsAdded({ UV_THREADPOOL_SIZE: "8" }), 8);
  });

  it("don't come for an address", async () => {
    assert.equal(await threadsAdded({}, "127.0.0.1"), 0);
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

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { after, describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { readHistory } from "../../benchmarks/lib/history.js";
import { resultsFolder, root } from "../../benchmarks/lib/paths.js";
import { choosePlatform } from "../../benchmarks/lib/platform/index.js";
import { readResult, resultFile } from "../../benchmarks/lib/results.js";
import { tools } from "../../benchmarks/lib/tools.js";
import { programs } from "../../benchmarks/programs.js";

const program = fileURLToPath(new URL("../../benchmarks/run.js", import.meta.url));

/** @param {string[]} args */
function bench(...args) {
  return spawnSync(process.execPath, [program, ...args], { encoding: "utf8" });
}

describe("npm run bench", () => {
  it("without a suite says what there is and what is missing here", () => {
    const { status, stdout } = bench();
    assert.equal(status, 0);
    for (const name of ["typical", "real", "ladder", "latency", "router", "wrk", "vegeta"]) {
      assert.match(stdout, new RegExp(`^${name} `, "m"));
    }
  });

  it("lists the contenders", () => {
    const { stdout } = bench("list");
    for (const name of ["axum-0.6", "velocy", "elysia", "node-net"]) {
      assert.match(stdout, new RegExp(`^${name} `, "m"));
    }
  });

  for (const [args, message] of /** @type {[string[], RegExp][]} */ ([
    [["typicall"], /There is no suite or command "typicall"/],
    [["typical", "--fast"], /Unknown option '--fast'/],
    [["keeping-fast", "--fast"], /Unknown option '--fast'/],
    [["cache", "--fast"], /Unknown option '--fast'/],
    [["cache", "--blocks", "many"], /--blocks takes a whole number from 2, not "many"/],
    [["cache", "--noreply"], /--noreply needs the --machine/],
    [["cache", "--packets"], /--packets needs the --machine/],
    [["cache", "--noreply", "--machine", "nowhere"], /nowhere has no result of cache yet/],
    [["typical", "--blocks", "many"], /--blocks takes a whole number, not "many"/],
    [["compare", "local"], /compare takes two machines/],
    [["page", "local"], /page takes two machines/],
    [["page", "nowhere", "linux-2core-vm"], /nowhere has no result of any suite yet/],
    [["history", "nowhere"], /nowhere has no history/],
    [["report", "nowhere"], /nowhere has no results yet/],
  ])) {
    it(`refuses ${args.join(" ")} in a sentence`, () => {
      const { status, stderr } = bench(...args);
      assert.equal(status, 1);
      assert.match(stderr, message);
      assert.doesNotMatch(stderr, /^\s+at /m);
    });
  }
});

/** What a program that only says its help has no need of, and that is large. */
const SKIPPED = /node_modules|^benchmarks.(results|contenders|\.work)$|^tools.(mdbook|chromium)$/;

describe("--help", () => {
  for (const name of Object.keys(programs)) {
    it(`is there for ${name}, and names it in the help of all`, () => {
      const { status, stdout } = bench(name, "--help");
      assert.equal(status, 0);
      assert.equal(stdout, `${programs[name].help}\n`);
      assert.match(bench("--help").stdout, new RegExp(`^npm run bench -- ${name} `, "m"));
    });
  }

  it("needs no package, so that nothing is installed for it", () => {
    const folder = mkdtempSync(path.join(tmpdir(), "bench-help-"));
    try {
      for (const part of ["benchmarks", "tools", "code/contracts"]) {
        cpSync(path.join(root, part), path.join(folder, part), {
          recursive: true,
          filter: (file) => !SKIPPED.test(path.relative(root, file)),
        });
      }
      for (const file of ["package.json", ".node-version"])
        cpSync(path.join(root, file), path.join(folder, file));
      const file = path.join(folder, "benchmarks/run.js");
      for (const args of [["--help"], ["cache", "--help"], ["keeping-fast", "-h"]]) {
        const run = spawnSync(process.execPath, [file, ...args], { encoding: "utf8" });
        assert.equal(run.status, 0, run.stderr);
        assert.equal(run.stderr, "");
        assert.match(run.stdout, /^npm run bench/);
      }
      assert.equal(existsSync(path.join(folder, "node_modules")), false);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

/** @param {number} pid */
function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe("SIGTERM", () => {
  it("ends the routers' benchmark at once, with all it has started", {
    timeout: 110_000,
  }, async (t) => {
    const machine = `test-${process.pid}`;
    const child = spawn(process.execPath, [program, "router", "--machine", machine], {
      stdio: "ignore",
    });
    const pid = /** @type {number} */ (child.pid);
    /** @type {number[]} */
    let tree = [pid];
    // What a failed run leaves would measure on, beside all other tests.
    t.after(() => {
      for (const each of tree.filter(isRunning)) process.kill(each, "SIGKILL");
    });
    while (tree.length < 3) {
      await delay(50);
      tree = await choosePlatform().processTree(pid);
    }
    child.kill("SIGTERM");
    const [code] = await once(child, "exit");
    assert.equal(code, 128 + 15);
    // What was killed may need a moment more: the test's own timeout bounds it.
    while (tree.some(isRunning)) await delay(50);
  });
});

const wrk = tools.find(({ name }) => name === "wrk");
const skip = wrk?.canBeHad() ? false : "wrk is not on this machine";

describe("Ctrl-C", { skip }, () => {
  const machine = `test-${process.pid}`;
  after(() => rmSync(path.join(resultsFolder, machine), { recursive: true, force: true }));

  it("keeps the finished block and leaves nothing running", async () => {
    const child = spawn(
      process.execPath,
      [
        program,
        ...["engine", "--only", "node-http-echo", "--machine", machine],
        ...["--quick", "--seconds", "2", "--warm-up", "1", "--blocks", "3"],
      ],
      { stdio: ["ignore", "pipe", "pipe"] },
    );
    const pid = /** @type {number} */ (child.pid);
    child.stderr.setEncoding("utf8");
    let progress = "";
    /** @type {number[]} */
    let tree = [];
    for await (const chunk of child.stderr) {
      progress += chunk;
      if (!progress.includes("block 2 of 3") || tree.length > 0) continue;
      while (tree.length < 2) tree = await choosePlatform().processTree(pid);
      child.kill("SIGINT");
    }
    if (child.exitCode === null) await once(child, "exit");
    assert.equal(child.exitCode, 130);
    const { blocks, finished, publishable } = readResult(resultFile(machine, "engine"));
    assert.deepEqual([blocks.length, finished, publishable], [1, false, false]);
    const [{ ending, kept, options }, ...others] = readHistory(machine);
    assert.deepEqual([ending, kept, options.quick, others.length], ["stopped", true, true, 0]);
    assert.match(progress, /^engine takes about /m);
    assert.deepEqual(blocks[0].failed, {});
    for (const started of tree) {
      assert.throws(() => process.kill(started, 0), { code: "ESRCH" });
    }
  });
});

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { RunningProgram, run } from "../../tools/lib/processes.js";

const cwd = import.meta.dirname;

/** @param {string} program */
const runNode = (program, more = {}) => run(process.execPath, ["-e", program], { cwd, ...more });

/** @param {number} group */
function isThere(group) {
  try {
    return process.kill(-group, 0);
  } catch {
    return false;
  }
}

describe("a program that is run to its end", () => {
  it("tells its exit code and what it printed, apart and together", async () => {
    const { code, stdout, stderr, output } = await runNode(
      `console.log("out"); console.error("err"); process.exitCode = 3;`,
    );
    assert.deepEqual([code, stdout, stderr], [3, "out\n", "err\n"]);
    assert.equal(output.length, "out\nerr\n".length);
  });

  it("says why it couldn't be started", async () => {
    const { code, failure } = await run("no-such-program-here", [], { cwd });
    assert.equal(code, 127);
    assert.match(String(failure), /no-such-program-here/);
  });

  it("is ended when its time is over", async () => {
    const { code } = await runNode("setInterval(() => {}, 1000)", { limit: 100 });
    assert.equal(code, "SIGKILL");
  });

  it("is ended when it is told to", async () => {
    const stop = new AbortController();
    const onStart = () => stop.abort();
    const { code } = await runNode("setInterval(() => {}, 1000)", { signal: stop.signal, onStart });
    assert.equal(code, "SIGKILL");
  });

  it("leaves nothing behind", { timeout: 60_000 }, async () => {
    let group = 0;
    await runNode(
      `require("node:child_process").spawn("sleep", ["600"], { stdio: "ignore" }).unref();`,
      { onStart: (/** @type {number} */ pid) => (group = pid) },
    );
    // Killed, it is there until somebody has taken note of its end.
    while (isThere(group)) await delay(5);
  });
});

describe("a program that runs", () => {
  /** @param {string} program */
  const start = (program, options = {}) => {
    const child = spawn(process.execPath, ["-e", program], { stdio: ["ignore", "pipe", "pipe"] });
    return new RunningProgram(child, options);
  };
  const LONG = 60_000;

  it("is waited for until it has printed something", async () => {
    const program = start(`console.log("ready"); setInterval(() => {}, 1000);`);
    assert.equal(await program.waitUntil(() => program.output === "ready\n", LONG), true);
    assert.equal(program.isRunning, true);
    program.child.kill();
    await program.waitUntil(() => !program.isRunning, LONG);
    assert.equal(program.ending, "SIGTERM");
  });

  it("is waited for no longer than one wants", async () => {
    const program = start("setInterval(() => {}, 1000);");
    assert.equal(await program.waitUntil(() => program.output !== "", 50), false);
    program.child.kill();
  });

  it("keeps the last characters where one asks for so many", async () => {
    const program = start(`console.log("0123456789")`, { most: 5 });
    await program.waitUntil(() => !program.isRunning, LONG);
    assert.equal(program.output, "6789\n");
  });
});

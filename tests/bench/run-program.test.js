import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { createInterface } from "node:readline";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("fixtures/program.js", import.meta.url));

describe("runProgram", () => {
  it("hands SIGTERM on, and tells who asks that it was the end", { timeout: 10_000 }, async (t) => {
    const outer = spawn(process.execPath, [program, "outer"]);
    t.after(() => outer.kill("SIGKILL"));
    const [line] = await once(createInterface(outer.stdout), "line");
    const inner = Number(line);
    assert.ok(inner > 0 && inner !== outer.pid, `${line} is the inner program's process`);
    outer.kill("SIGTERM");
    const [code] = await once(outer, "exit");
    assert.equal(code, 128 + 15);
    assert.throws(() => process.kill(inner, 0), { code: "ESRCH" });
  });

  it("ends with the program's own code", () => {
    assert.equal(spawnSync(process.execPath, [program, "outer", "fail"]).status, 3);
  });
});

import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { run } from "./lib.js";

const skip = process.env.CHALLENGE !== "1" && "challenge 1";

describe("Challenges", { skip }, () => {
  it("draws what --cpu-prof has written, and nothing of the loop", async () => {
    const folder = mkdtempSync(join(tmpdir(), "ch27-"));
    const program = join(folder, "program.mjs");
    writeFileSync(
      program,
      "function spin() { const end = performance.now() + 300;\n" +
        "while (performance.now() < end); }\nspin();\n",
    );
    const args = ["--cpu-prof", `--cpu-prof-dir=${folder}`, program];
    assert.equal((await run(args)).code, 0);
    const name = readdirSync(folder).find((each) =>
      each.endsWith("profile"),
    );
    const { stdout, stderr, svg } = await run([
      "profile.js",
      join(folder, name),
    ]);
    rmSync(folder, { recursive: true });
    assert.match(stdout, /^ *[\d.]+ % spin program\.mjs$/m, stderr);
    assert.doesNotMatch(stdout, /event loop|longest/);
    assert.match(svg ?? "", /<title>spin program\.mjs: /);
  });

  it("goes on recording servers", async () => {
    const args = ["profile.js", "test/busy.js", "/", "--seconds", "1"];
    const { stdout, stderr } = await run(args);
    assert.match(stdout, /^the event loop was busy for \d+ %$/m, stderr);
    assert.match(stdout, /busy\.js/);
  });
});

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, describe, it } from "node:test";
import { ServerProcess } from "../../benchmarks/lib/processes.js";
import { selfTimes } from "../../benchmarks/lib/self-times.js";
import { applyChange, makeCopy, tricks } from "../../benchmarks/lib/undone.js";

const folder = mkdtempSync(path.join(os.tmpdir(), "undone-"));
after(() => rmSync(folder, { recursive: true }));

describe("the engine with a trick undone", () => {
  for (const { name, title, changes } of tricks) {
    it(`answers with ${title}`, async () => {
      const program = makeCopy(path.join(folder, name), changes);
      const server = await ServerProcess.start({ command: [process.execPath, program] });
      try {
        const response = await fetch(`http://127.0.0.1:${server.port}/bench/testing?id=10`);
        assert.equal(response.status, 200);
        assert.deepEqual(await response.json(), { name: "testing", id: "10" });
      } finally {
        await server.stop();
      }
    });
  }

  for (const text of ["the line", "a line and a line"]) {
    it(`isn't made where a change doesn't fit: ${text}`, () => {
      const change = { file: "head.js", from: "a line", to: "" };
      const expected = { code: "ERR_BENCH_PATCH", message: /lib\/engine\/head\.js/ };
      assert.throws(() => applyChange(text, change), expected);
    });
  }
});

describe("a profile's own times", () => {
  it("leave out waiting and what lies outside the time asked for", () => {
    const node = (/** @type {number} */ id, /** @type {string} */ functionName) => ({
      id,
      callFrame: { functionName, url: "", scriptId: "0", lineNumber: 0, columnNumber: 0 },
    });
    const profile = {
      nodes: [node(1, "work"), node(2, "(idle)"), node(3, "write")],
      startTime: 100,
      endTime: 200,
      samples: [1, 1, 2, 3, 1, 3],
      timeDeltas: [0, 10, 10, 10, 10, 10],
    };
    const times = selfTimes(profile, {
      from: 110,
      to: 150,
      groupOf: ({ functionName }) => functionName,
    });
    assert.deepEqual(
      [...times],
      [
        ["work", 20],
        ["write", 10],
      ],
    );
  });
});

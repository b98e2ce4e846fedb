import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import process from "node:process";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { resultsFolder } from "../../benchmarks/lib/paths.js";

const run = promisify(execFile);
const program = fileURLToPath(new URL("../../benchmarks/experiments/download.js", import.meta.url));
const skip = process.platform !== "linux" && "it reads /proc";

describe("the experiment with a download", () => {
  it("has a whole file sent twice, and tells the server's memory", { skip }, async () => {
    // A small file says nothing of its flatness: the exit code isn't asked.
    const { stdout } = await run(process.execPath, [program, "--mebibytes", "8"]).catch(
      (err) => err,
    );
    assert.match(stdout, /^first: from \d+ to at most \d+ MiB, [\d.]+ s$/m);
    assert.match(stdout, /^again: from \d+ to at most \d+ MiB, [\d.]+ s$/m);
  });

  const files = readdirSync(resultsFolder)
    .map((machine) => join(resultsFolder, machine, "download.json"))
    .filter((file) => existsSync(file));

  it("has a committed result", () => assert.ok(files.length > 0));

  for (const file of files) {
    const result = JSON.parse(readFileSync(file, "utf8"));

    it(`says in ${relative(resultsFolder, file)} what its samples say`, () => {
      const { runs, restBytes, growthBytes, mebibytes, isFlat } = result;
      /** @param {{ samples: { rssBytes: number }[] }} run */
      const mostOf = ({ samples }) => Math.max(...samples.map(({ rssBytes }) => rssBytes));
      for (const one of [runs.first, runs.again]) {
        assert.equal(one.mostBytes, mostOf(one));
        assert.equal(one.samples.at(-1).gotMebibytes, mebibytes);
      }
      const most = Math.max(mostOf(runs.first), mostOf(runs.again));
      assert.equal(restBytes, runs.first.samples[0].rssBytes);
      assert.equal(growthBytes, most - restBytes);
      assert.equal(isFlat, growthBytes < (mebibytes * 1024 ** 2) / 10);
    });
  }
});

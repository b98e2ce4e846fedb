import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { Ajv } from "ajv";
import { deriveCache } from "../../benchmarks/lib/cache.js";
import { resultsFolder } from "../../benchmarks/lib/paths.js";
import { asWritten } from "../../benchmarks/lib/results.js";

const schema = new URL("../../benchmarks/lib/cache.schema.json", import.meta.url);
const check = new Ajv().compile(JSON.parse(readFileSync(schema, "utf8")));

describe("the cache's results", () => {
  const machines = readdirSync(resultsFolder).filter(
    (machine) => machine !== "local" && existsSync(`${resultsFolder}/${machine}/cache.json`),
  );

  it("are there", () => assert.ok(machines.length > 0));

  for (const machine of machines) {
    const result = JSON.parse(readFileSync(`${resultsFolder}/${machine}/cache.json`, "utf8"));

    it(`of ${machine} have the form of their schema`, () => {
      assert.ok(check(result), JSON.stringify(check.errors, null, 2));
    });

    it(`of ${machine} follow from their runs`, () => {
      assert.deepEqual(asWritten(deriveCache(result.runs)), asWritten(result.derived));
    });

    it(`of ${machine} are refused without a run of the twin`, () => {
      const [{ twin, ...rest }, ...others] = result.runs;
      assert.ok(twin);
      assert.equal(check({ ...result, runs: [rest, ...others] }), false);
    });
  }
});

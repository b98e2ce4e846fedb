import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { Ajv } from "ajv";
import { deriveKeepingFast, formatKeepingFast } from "../../benchmarks/lib/keeping-fast.js";
import { resultsFolder } from "../../benchmarks/lib/paths.js";
import { asWritten } from "../../benchmarks/lib/results.js";

const schema = new URL("../../benchmarks/lib/keeping-fast.schema.json", import.meta.url);

describe("keeping-fast's results", () => {
  const machines = readdirSync(resultsFolder).filter(
    (machine) => machine !== "local" && existsSync(`${resultsFolder}/${machine}/keeping-fast.json`),
  );

  it("are there", () => assert.ok(machines.length > 0));

  for (const machine of machines) {
    const path = `${resultsFolder}/${machine}/keeping-fast`;
    const result = JSON.parse(readFileSync(`${path}.json`, "utf8"));

    it(`of ${machine} have the form of their schema`, () => {
      const check = new Ajv().compile(JSON.parse(readFileSync(schema, "utf8")));
      assert.ok(check(result), JSON.stringify(check.errors, null, 2));
    });

    it(`of ${machine} follow from their runs`, () => {
      const derived = asWritten(deriveKeepingFast(result));
      for (const [name, value] of Object.entries(derived)) {
        assert.deepEqual(result[name], value, name);
      }
      assert.equal(readFileSync(`${path}.txt`, "utf8"), formatKeepingFast(result));
    });

    it(`of ${machine} name nothing of the machine but what it is`, () => {
      assert.doesNotMatch(JSON.stringify(result.profile), /file:|\/(home|root|work|Users)\//);
    });
  }
});

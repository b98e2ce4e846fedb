import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { it } from "node:test";

/**
 * npm leaves a package for another system out of the lock file when it can't
 * be fetched, and `npm ci` refuses such a lock in a fresh clone.
 */
it("package-lock.json has an entry for every package that another one names", () => {
  const path = new URL("../../package-lock.json", import.meta.url);
  const { packages } = JSON.parse(readFileSync(path, "utf8"));
  const names = new Set(
    Object.keys(packages).map((key) => key.slice(key.lastIndexOf("node_modules/") + 13)),
  );
  const missing = [];
  for (const [key, { dependencies, optionalDependencies }] of Object.entries(packages)) {
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      if (!names.has(name)) missing.push(`${name}, of ${key}`);
    }
  }
  assert.deepEqual(missing, []);
});

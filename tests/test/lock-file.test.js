import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { it } from "node:test";
import { pinnedVersion } from "../../tools/lib/node-version.js";

/** @param {string} path from the repository's root */
const readJson = (path) =>
  JSON.parse(readFileSync(new URL(`../../${path}`, import.meta.url), "utf8"));

/**
 * npm leaves a package for another system out of the lock file when it can't
 * be fetched, and `npm ci` refuses such a lock in a fresh clone.
 */
it("package-lock.json has an entry for every package that another one names", () => {
  const { packages } = readJson("package-lock.json");
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

it("the pinned Node.js is one version, the same for every system", () => {
  const { optionalDependencies } = readJson("tools/node-pinned/package.json");
  const { packages } = readJson("tools/node-pinned/package-lock.json");
  for (const [name, version] of Object.entries(optionalDependencies)) {
    assert.equal(version, pinnedVersion, name);
    assert.equal(packages[`node_modules/${name}`]?.version, pinnedVersion, name);
  }
});

/**
 * npm's own middleware, on the newest milestone. The packages have a folder of
 * their own, so that nothing of the book can depend on them; the first test
 * run installs them.
 */
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { ensureDependencies } from "../../tools/lib/setup.js";
import { newestVelocy } from "../contracts/newest-velocy.js";
import { PACKAGES } from "./packages.js";
import { serve } from "./serve.js";

const found = await newestVelocy();
const velocy = found?.velocy;
const skip = typeof velocy?.connect !== "function" && "no milestone has middleware yet";

before(async () => {
  if (skip) return;
  const folder = fileURLToPath(new URL(".", import.meta.url));
  await ensureDependencies(folder, "Installing npm's middleware for tests/npm");
});

for (const { name, use, note, check } of PACKAGES) {
  test(use ? `${name} ${note}` : `${name} doesn't run: it ${note}`, { skip }, async (t) => {
    const module = await import(name);
    /** @type {unknown[]} */
    const errors = [];
    const ask = (/** @type {any} */ router) => serve(t, velocy, router, errors);
    await check({ velocy, serve: ask, load: module.default ?? module });
    assert.deepEqual(errors, [], "nothing went wrong on the side");
  });
}

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

describe("npm test", () => {
  it("knows its stages by name", () => {
    const { status, stderr } = spawnSync(process.execPath, ["tools/test.js", "lints"], {
      cwd: ROOT,
      encoding: "utf8",
    });
    assert.equal(status, 1);
    assert.match(stderr, /`lints` is no stage\./);
    assert.match(stderr, /npm test -- NAME \.\.\. {3}with the names lint, /);
    assert.doesNotMatch(stderr, /^\s+at /m, "no stack trace");
  });

  it("in a clone without packages and without a network says so", (t) => {
    const clone = mkdtempSync(join(tmpdir(), "clone-"));
    t.after(() => rmSync(clone, { recursive: true, force: true }));
    cpSync(join(ROOT, "tools"), join(clone, "tools"), {
      recursive: true,
      filter: (path) => !/node_modules|mdbook\b.bin|chromium$/.test(path),
    });
    for (const file of ["package.json", "package-lock.json", ".node-version"]) {
      cpSync(join(ROOT, file), join(clone, file));
    }
    const { status, stderr } = spawnSync(process.execPath, ["tools/test.js"], {
      cwd: clone,
      encoding: "utf8",
      env: {
        ...process.env,
        // Nobody listens there, and nothing may come from a cache.
        npm_config_registry: "http://127.0.0.1:9/",
        npm_config_cache: join(clone, "cache"),
        npm_config_fetch_retries: "0",
      },
    });
    assert.equal(status, 1);
    assert.match(stderr, /could not be fetched: there seems to be no network\./);
    assert.doesNotMatch(stderr, /^\s+at /m, "no stack trace");
  });
});

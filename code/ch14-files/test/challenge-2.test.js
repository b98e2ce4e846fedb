import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { ask, listen } from "../../contracts/router/ask.js";
import { createServer, files, Router } from "../index.js";

/** @import { TestContext } from "node:test" */

const skip = process.env.CHALLENGE !== "2" && "challenge 2";

/** @param {TestContext} t @param {string} name @param {any} [options] */
async function askFor(t, name, options) {
  const root = mkdtempSync(join(tmpdir(), "files-"));
  t.after(() => rmSync(root, { recursive: true }));
  writeFileSync(join(root, name), "x");
  const port = await listen(
    t,
    createServer(new Router().get("/*", files(root, options))),
  );
  const { statusCode, headers } = await ask(
    port,
    "GET",
    `/${encodeURIComponent(name)}`,
  );
  assert.equal(statusCode, 200);
  return headers["content-disposition"];
}

describe("Challenges", { skip }, () => {
  for (const [name, plain, encoded] of [
    ["a.txt", "a.txt", "a.txt"],
    ["café.txt", "caf_.txt", "caf%C3%A9.txt"],
    ["a b.txt", "a_b.txt", "a%20b.txt"],
    ['say "hi".txt', "say__hi_.txt", "say%20%22hi%22.txt"],
    ["it's (1)*.txt", "it_s__1__.txt", "it%27s%20%281%29%2A.txt"],
    ["a;b,c=d!.txt", "a_b_c_d_.txt", "a%3Bb%2Cc%3Dd!.txt"],
    ["100%.txt", "100_.txt", "100%25.txt"],
    ["☃.txt", "_.txt", "%E2%98%83.txt"],
  ]) {
    it(`calls ${name} by its name, in two ways`, async (t) => {
      const expected = `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
      assert.equal(await askFor(t, name, { download: true }), expected);
    });
  }

  it("says nothing unless told to", async (t) => {
    assert.equal(await askFor(t, "a.txt"), undefined);
  });
});

/**
 * The declarations that `npm run types` makes: a TypeScript program that uses
 * velocy rightly compiles against them, and one that doesn't is told so.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { emitDeclarations } from "../../tools/lib/declarations.js";
import { root } from "../../tools/lib/setup.js";
import { newestVelocy } from "./newest-velocy.js";

const newest = await newestVelocy();

describe("velocy's declarations", { skip: newest === null && "no velocy yet" }, () => {
  /** @type {string} */
  let folder;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "velocy-types-"));
    const velocy = join(folder, "node_modules/velocy");
    mkdirSync(velocy, { recursive: true });
    symlinkSync(join(root, "node_modules/@types"), join(folder, "node_modules/@types"));
    symlinkSync(join(root, "node_modules/undici-types"), join(folder, "node_modules/undici-types"));
    const { isClean, output } = await emitDeclarations(newest?.folder ?? "", velocy);
    assert.ok(isClean, output);
    writeFileSync(
      join(velocy, "package.json"),
      JSON.stringify({ name: "velocy", type: "module", types: "./index.d.ts" }),
    );
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  /**
   * What tsc says of a program.
   *
   * @param {string} program
   * @returns {Promise<string>}
   */
  function check(program) {
    const file = join(folder, "program.ts");
    writeFileSync(file, program);
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    const options =
      "--ignoreConfig --noEmit --strict --target es2023 --module nodenext --types node";
    return new Promise((resolve) => {
      const args = [tsc, ...options.split(" "), file];
      execFile(process.execPath, args, { cwd: folder }, (_err, stdout) => resolve(stdout));
    });
  }

  it("let a handler read params, path and queryParams", async () => {
    const said = await check(`
      import { createServer, Router } from "velocy";
      const router = new Router({ ignoreCase: true });
      router.get("/users/:id", async (req, res) => {
        const id: string = req.params.id;
        const page: string | null = req.queryParams.get("page");
        res.end([req.path, id, page].join());
      });
      const server = createServer(router, { onError: (err: unknown) => void err });
      server.listen(0);
      const code: string = router.explain("GET", "/users/7").toString();
      void code;
    `);
    assert.equal(said, "");
  });

  it("refuse a handler that is none", async () => {
    const said = await check(`
      import { Router } from "velocy";
      new Router().get("/users", "handler");
    `);
    assert.match(said, /TS2345.*string/);
  });

  it("refuse an option that isn't there", async () => {
    const said = await check(`
      import { Router } from "velocy";
      new Router({ sensitive: true });
    `);
    assert.match(said, /TS2353/);
  });
});

/**
 * The types of a route's parameters: what tsc takes, and what it refuses.
 */
import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { emitDeclarations } from "../../tools/lib/declarations.js";
import { root } from "../../tools/lib/setup.js";
import { newestVelocy } from "./newest-velocy.js";

const newest = await newestVelocy();
const skip = newest?.velocy.inject === undefined && "no such types yet";

/** @type {Record<string, string>} */
const RIGHT = {
  "one parameter": `"/users/:id", (req) => f(req.params.id)`,
  "several, and a wildcard": `"/a/:b/c/:d/*rest", ({ params }) => f(params.b + params.d + params.rest)`,
  "a wildcard without a name": `"/static/*", (req) => f(req.params["*"])`,
  "a pattern without any": `"/users", (req) => f(req.path)`,
  "options and middleware": `"/users/:id", { timeout: 5 }, (_req, _res, next) => next(), async (req) => f(req.params.id)`,
  "a pattern that is put together": `"/users" + f(""), (req) => f(req.params.anything)`,
  "a handler for anything": `"/users/:id", (req: any, res: any) => res.text(req.params.name)`,
};

/** And what tsc says of it. @type {Record<string, [route: string, message: RegExp]>} */
const WRONG = {
  "another name": [`"/users/:id", (req) => req.params.name`, /TS2339.*'name'.*'\{ id: string; \}'/],
  "a name of no parameter": [`"/users", (req) => req.params.id`, /TS2339.*'id'/],
  "half of a name": [`"/users/:identity", (req) => req.params.id`, /TS2339.*'id'/],
  "the star of a wildcard with a name": [`"/static/*path", (req) => req.params["*"]`, /TS7053/],
  "a parameter as a number": [`"/users/:id", (req) => req.params.id.toFixed()`, /TS2551|TS2339/],
  "a handler that is none": [`"/users/:id", "handler"`, /TS2345|TS2769/],
  "an option that isn't there": [`"/users", { timeOut: 5 }, () => ""`, /TS2353|TS2561|TS2345/],
};

describe("the parameters of a pattern", { skip }, () => {
  /** @type {string} */
  let folder;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "types-"));
    const velocy = join(folder, "node_modules/velocy");
    mkdirSync(velocy, { recursive: true });
    for (const name of ["@types", "undici-types"]) {
      const link = join(folder, "node_modules", name);
      symlinkSync(join(root, "node_modules", name), link);
    }
    const { isClean, output } = await emitDeclarations(newest?.folder ?? "", velocy);
    assert.ok(isClean, output);
    const json = { name: "velocy", type: "module", types: "./index.d.ts" };
    writeFileSync(join(velocy, "package.json"), JSON.stringify(json));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  /**
   * What tsc says of programs.
   *
   * @param {string[]} lines
   * @returns {Promise<string[]>} its messages
   */
  function check(lines) {
    const files = lines.map((line, index) => {
      const file = join(folder, `program${index}.ts`);
      writeFileSync(file, line);
      return file;
    });
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    const options =
      "--ignoreConfig --noEmit --strict --target es2023 --module nodenext --types node";
    const args = [tsc, ...options.split(" "), ...files];
    return new Promise((resolve) => {
      const done = (/** @type {unknown} */ _err, /** @type {string} */ stdout) => {
        resolve(stdout.split(/\n(?=program)/));
      };
      execFile(process.execPath, args, { cwd: folder }, done);
    });
  }

  /** @param {string} route @param {string} [method] */
  const program = (route, method = "get") => `
    import { inject, openConnection, Router, createServer } from "velocy";
    const f = (text: string): string => text;
    const router = new Router();
    router.${method}(${route});
    export const answer = inject(router, { target: "/", body: ["a", "b"] });
    export const end = openConnection(createServer(router)).end(f(""));
  `;

  it("takes programs that are right", async () => {
    const methods = ["get", "post", "put", "patch", "delete", "all", "options"];
    const routes = Object.values(RIGHT);
    const programs = routes.map((route, i) => program(route, methods[i]));
    assert.deepEqual(await check(programs), [""]);
  });

  it("refuses programs that are wrong, and says why", async () => {
    const entries = Object.entries(WRONG);
    const said = await check(entries.map(([, [route]]) => program(route)));
    for (const [index, [what, [, message]]] of entries.entries()) {
      const mine = said.filter((text) => text.startsWith(`program${index}.`));
      assert.match(mine.join("\n"), message, what);
    }
  });
});

describe("the typo of chapter 18", () => {
  it("is found by tsc as the chapter shows it, where no types of Node's are", (t) => {
    const folder = mkdtempSync(join(tmpdir(), "typo-"));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const milestone = join(root, "code/ch18-tests");
    for (const name of ["index.js", "lib", "package.json"]) {
      cpSync(join(milestone, name), join(folder, name), { recursive: true });
    }
    const chapter = readFileSync(join(root, "chapters/ch18-tests.md"), "utf8");
    const listing = chapter.match(/^```js file=typo\.js\n(.*?)^```$/ms)?.[1];
    writeFileSync(join(folder, "typo.js"), listing ?? "");
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    const args = [tsc, "--noEmit", "--allowJs", "typo.js"];
    const { stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
    const shown = chapter.match(/^\$ npx [^\n]* tsc [^\n]*typo\.js\n(.*?)^```$/ms)?.[1];
    assert.equal(stdout, shown);
  });
});

/** A milestone's files as a lab runs them. */

import assert from "node:assert/strict";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { METHODS } from "node:http";
import { isIPv6 } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, describe, test } from "node:test";
import fc from "fast-check";
import { labs, trees } from "../../assets/labs/labs.js";
import { dataUrl, linkModules } from "../../assets/labs/link.js";
import { Model } from "../../assets/labs/tree/model.js";
import { collectLabFiles } from "../../tools/lib/lab-files.js";
import { root } from "../../tools/lib/setup.js";

/** @type {string[]} */
const folders = [];
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function makeRoot() {
  const folder = mkdtempSync(path.join(tmpdir(), "lab-files-"));
  folders.push(folder);
  return folder;
}

/**
 * Collects what a lab would run of a milestone that has these files.
 *
 * @param {Record<string, string>} files
 * @param {{ modules?: string[], reads?: Record<string, Record<string, string>> }} [lab]
 */
function collect(files, { modules = ["part"], reads = {} } = {}) {
  const folder = makeRoot();
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, "code", "ch99", name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return collectLabFiles(folder, { milestone: "ch99", modules, reads });
}

/** @param {string} part the text of lib/part.js */
function onePart(part) {
  return { "index.js": 'export * from "./lib/part.js";\n', "lib/part.js": part };
}

describe("every lab", () => {
  for (const [name, lab] of Object.entries(labs)) {
    test(`finds the files and the private names that it reads: ${name}`, () => {
      assert.doesNotThrow(() => collectLabFiles(root, lab));
    });

    test(`runs its milestone's files, with another sign in private names alone: ${name}`, () => {
      const own = collectLabFiles(root, lab).files.filter((file) => file.path.endsWith(".js"));
      for (const { path: file, parts } of own) {
        const text = readFileSync(path.join(root, "code", lab.milestone, file), "utf8");
        const folder = path.posix.dirname(file);
        const shown = parts.map((part) => {
          if (typeof part === "string") return part;
          if (!part.file.endsWith(".js")) return JSON.stringify(part.file);
          const specifier = path.posix.relative(folder, part.file);
          return `"${specifier.startsWith(".") ? specifier : `./${specifier}`}"`;
        });
        const signs = (/** @type {string} */ code) => code.replaceAll(/[#$](?=[a-z])/gi, "#");
        assert.equal(signs(shown.join("")), signs(text), file);
      }
    });
  }
});

describe("a private name", () => {
  test("can be read, called and asked for from outside", async () => {
    const bundle = collect(
      onePart(
        "export class Box { #size = 7; static #made = 1; #grow() { this.#size += 1; return this; }\n" +
          "  get #double() { return 2 * this.#size; }\n" +
          "  static is(thing) { return #size in thing; }\n" +
          "  twice() { return this.#grow().#double + Box.#made; } }\n",
      ),
      { reads: { part: { size: "#size" } } },
    );
    const { part } = await linkModules(bundle, dataUrl);
    const box = new part.Box();
    assert.equal(box.$size, 7);
    assert.equal(box.twice(), 17);
    assert.equal(part.Box.is(box), true);
    assert.equal(part.Box.is({}), false);
  });

  test("that is gone is a message with the file and the place to mend", () => {
    assert.throws(
      () =>
        collect(onePart("export class Box { #size = 7; }"), { reads: { part: { a: "#width" } } }),
      /code\/ch99\/lib\/part\.js has no #width, which a lab reads: say in assets\/labs\/labs\.js/,
    );
  });

  test("whose readable form is taken is refused", () => {
    for (const taken of ["const $size = 1;", 'const a = { "$size": 1 };', "a.$size;"]) {
      assert.throws(
        () => collect(onePart(`export class Box { #size = 7; }\n${taken}`)),
        /lib\/part\.js has a name \$size of its own/,
      );
    }
  });

  test("that a class above could have too is refused", () => {
    assert.throws(
      () => collect(onePart("export class A { #a = 1; }\nexport class B extends A { #a = 2; }")),
      /a class that extends another has a #a/,
    );
    const apart = onePart("export class A { #a = 1; }\nexport class B { #a = 2; }");
    assert.doesNotThrow(() => collect(apart));
  });
});

describe("what stands for Node's own modules", () => {
  const bundle = collect(
    onePart(
      'import { METHODS } from "node:http";\nimport { isIPv6 } from "node:net";\n' +
        "export { isIPv6, METHODS };\n",
    ),
  );

  test("has Node's list of methods", async () => {
    const { part } = await linkModules(bundle, dataUrl);
    assert.deepEqual(part.METHODS, METHODS);
  });

  test("knows an IPv6 address as Node does", async () => {
    const { part } = await linkModules(bundle, dataUrl);
    const words = ["::", ":", "1", "ffff", "12345", "127.0.0.1", "1.2.3", "256.1.1.1", "%", "eth0"];
    const text = fc.array(fc.constantFrom(...words, "g", ".", "/", "]"), { maxLength: 12 });
    fc.assert(
      fc.property(
        fc.oneof(
          fc.ipV6(),
          text.map((list) => list.join("")),
        ),
        (address) => {
          assert.equal(part.isIPv6(address), isIPv6(address), address);
        },
      ),
      { numRuns: 2000 },
    );
  });
});

describe("the files of a lab", () => {
  test("are what it asks for and what that imports, wherever they lie", () => {
    const { files, entries } = collect({
      "index.js": 'export { a } from "./lib/router/part.js";\nimport "./lib/server.js";\n',
      "lib/server.js": 'import "node:http";\nimport "./router/part.js";\n',
      "lib/router/part.js": 'export { a } from "../errors.js";\n',
      "lib/errors.js": "export const a = 1;\n",
      "lib/unused.js": "",
    });
    assert.deepEqual(
      files.map((file) => file.path),
      ["lib/errors.js", "lib/router/part.js"],
    );
    assert.deepEqual(entries, { part: "lib/router/part.js" });
  });

  test("that a page can't run are refused, with a reason", () => {
    const refused = {
      "imports all of node:fs": onePart('import "node:fs";'),
      "imports request of node:http": onePart('import { METHODS, request } from "node:http";'),
      "imports all of node:http": onePart('import * as http from "node:http";'),
      "lib/part.js, lib/other.js, lib/part.js": {
        ...onePart('import "./other.js";'),
        "lib/other.js": 'import "./part.js";',
      },
      "no file with the name part.js": { "index.js": "" },
      "more than one file with the name part.js": {
        ...onePart('import "./deep/part.js";'),
        "lib/deep/part.js": "",
      },
      "no index.js and no server.js": { "lib/part.js": "" },
    };
    for (const [reason, files] of Object.entries(refused)) {
      assert.throws(
        () => collect(files),
        (err) => String(err).includes(reason),
        reason,
      );
    }
  });

  test("may lie elsewhere tomorrow, with a router that shows nobody its root", async () => {
    const folder = makeRoot();
    const lab = trees["radix-tree"];
    const milestone = path.join(folder, "code", lab.milestone);
    const original = path.join(root, "code", lab.milestone);
    const index = readFileSync(path.join(original, "index.js"), "utf8");
    cpSync(path.join(original, "lib"), path.join(milestone, "lib", "inner"), { recursive: true });
    writeFileSync(path.join(milestone, "index.js"), index.replaceAll("./lib/", "./lib/inner/"));
    const file = path.join(milestone, collectLabFiles(folder, lab).entries.router);
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.replace(/\n *get root\(\) \{[^}]*\}\n/, "\n"));

    const modules = await linkModules(collectLabFiles(folder, lab), dataUrl);
    const model = new Model(/** @type {any} */ (modules));
    assert.equal(new modules.router.Router().root, undefined);
    model.add({ method: "GET", pattern: "/things" });
    assert.deepEqual(
      model.tree().map(({ label }) => label),
      ["/things"],
    );
  });
});

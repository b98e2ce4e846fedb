/** The labs in a browser, each as a reader uses it. */

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { after, describe, test } from "node:test";
import { labs, trees } from "../../assets/labs/labs.js";
import { dataUrl, linkModules } from "../../assets/labs/link.js";
import { Model } from "../../assets/labs/tree/model.js";
import { collectLabFiles } from "../../tools/lib/lab-files.js";
import { root } from "../../tools/lib/setup.js";
import { renderLab } from "../../tools/preprocessor/lab.js";
import { testOverload } from "./labs/overload.js";
import { testPieces } from "./labs/pieces.js";
import { testRefusals } from "./labs/refusals.js";
import { testTrees } from "./labs/tree.js";
import { buildSite, noBrowser, openBrowser, pageOfLab, serveFolder } from "./support.js";

/** @import { Browser, Locator, Page } from "playwright-core" */

const axeSource = readFileSync(
  createRequire(import.meta.url).resolve("axe-core/axe.min.js"),
  "utf8",
);

const site = await serveFolder(await buildSite());
/** @type {Browser | null} */
const browser = await openBrowser();
const skip = browser ? false : noBrowser;

after(async () => {
  await browser?.close();
  site.close();
});

/**
 * What the tests of each kind of lab share, in labs/.
 *
 * @typedef {object} LabTests
 * @property {string | false} skip why there is no browser
 * @property {typeof withLab} withLab
 * @property {typeof findNothing} findNothing
 */

/**
 * Opens a page with a lab in it.
 *
 * @param {string} file
 * @param {(lab: Locator, page: Page) => Promise<void>} use
 * @param {Parameters<Browser["newContext"]>[0]} [options]
 */
async function withLab(file, use, options = {}) {
  const context = await /** @type {Browser} */ (browser).newContext({
    reducedMotion: "reduce",
    ...options,
  });
  try {
    const page = await context.newPage();
    await page.goto(`${site.origin}/${file}`);
    if (options.javaScriptEnabled !== false) await page.waitForSelector(".lab.is-running");
    await use(page.locator(".lab"), page);
  } finally {
    await context.close();
  }
}

/**
 * Fails on anything that axe finds in a lab, and on a page that scrolls sideways.
 *
 * @param {Page} page
 */
async function findNothing(page) {
  await page.evaluate(axeSource);
  const found = await page.evaluate(async () => {
    const { violations } = await /** @type {any} */ (window).axe.run(".lab");
    return violations.map((/** @type {any} */ { id, nodes }) => [id, nodes[0].html]);
  });
  assert.deepEqual(found, []);
  const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(excess <= 0, `${excess} px too wide`);
}

testTrees({ skip, withLab, findNothing });
testPieces({ skip, withLab, findNothing });
testRefusals({ skip, withLab, findNothing });
testOverload({ skip, withLab, findNothing });

describe("every lab", { skip }, () => {
  for (const { milestone } of Object.values(labs)) {
    const file = pageOfLab(milestone);
    test(`is a figure where no script runs: ${file}`, async () => {
      await withLab(
        file,
        async (lab) => {
          const drawings = await lab.locator("svg").all();
          const shown = await Promise.all(drawings.map((drawing) => drawing.isVisible()));
          assert.deepEqual(shown.filter(Boolean), [true]);
          assert.equal(await lab.locator("button, input").count(), 0);
        },
        { javaScriptEnabled: false },
      );
    });

    test(`says which files it runs: ${file}`, async () => {
      await withLab(file, async (lab) => {
        const words = (await lab.locator(".lab-source").innerText()).replaceAll(/\s+/g, " ");
        assert.match(words, /with \$ for the # of private names/);
        const [, named] = /is (code\/\S+?),/.exec(words) ?? [];
        assert.ok(existsSync(path.join(root, named)), named);
      });
    });
  }
});

describe("the steps that a lab works out for chapter 8", () => {
  test("end as the milestone's own router does", async () => {
    const bundle = collectLabFiles(root, trees["radix-tree"]);
    const model = new Model(/** @type {any} */ (await linkModules(bundle, dataUrl)));
    for (const pattern of ["/a", "/ab/:x", "/:y/b", "/a/:x/c", "/abc", "/:y"]) {
      model.add({ method: "GET", pattern });
    }
    const words = ["", "a", "ab", "abc", "b", "c", "abcd"];
    for (const first of words) {
      for (const second of [null, ...words]) {
        for (const method of ["GET", "HEAD", "POST"]) {
          const target = second === null ? `/${first}` : `/${first}/${second}`;
          const { steps: taken, route } = model.ask(method, target);
          const last = taken.at(-1);
          const isFound = last?.kind === "end" && last.isMatch;
          assert.equal(isFound, route !== null, `${method} ${target}`);
          if (route) assert.equal(last?.reason, `${route.method} ${route.pattern}`);
        }
      }
    }
  });
});

describe("a lab's comment in a chapter", () => {
  const place = { file: "chapters/ch99.md", line: 7 };
  const folder = path.join(root, "chapters");

  test("that names no lab is a message with the chapter and the line", () => {
    assert.throws(
      () => renderLab("chemistry", place, { folder, prefix: "", copied: [] }),
      /^Problem|chapters\/ch99\.md:7: there is no lab chemistry/,
    );
  });

  test("whose files mdBook isn't told to copy is a message that names them", () => {
    assert.throws(
      () => renderLab("explain", place, { folder, prefix: "", copied: [] }),
      (err) => {
        const files = ['"assets/labs/start.js"', '"assets/labs/tree/lab.js"'];
        return files.every((file) => String(err).includes(file));
      },
    );
  });
});

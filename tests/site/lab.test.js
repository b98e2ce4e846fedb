/** The labs of chapters 8 and 9, as a reader uses them. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { after, describe, test } from "node:test";
import { trees } from "../../assets/labs/labs.js";
import { dataUrl, linkModules } from "../../assets/labs/link.js";
import { Model } from "../../assets/labs/tree/model.js";
import { collectLabFiles } from "../../tools/lib/lab-files.js";
import { root } from "../../tools/lib/setup.js";
import { renderLab } from "../../tools/preprocessor/lab.js";
import { buildSite, openBrowser, serveFolder } from "./support.js";

/** @import { Browser, Locator, Page } from "playwright-core" */

const axeSource = readFileSync(
  createRequire(import.meta.url).resolve("axe-core/axe.min.js"),
  "utf8",
);

const site = await serveFolder(await buildSite());
/** @type {Browser | null} */
const browser = await openBrowser();
const skip = browser ? false : "no browser";

after(async () => {
  await browser?.close();
  site.close();
});

const radixTree = "ch08-the-radix-tree.html";
const explain = "ch09-parameters-and-wildcards.html";

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

/** @param {Locator} lab @param {string} pattern */
async function add(lab, pattern) {
  await lab.getByLabel("Pattern", { exact: true }).fill(pattern);
  await lab.getByRole("button", { name: "Add" }).click();
}

/** @param {Locator} lab @param {string} target */
async function ask(lab, target) {
  await lab.getByLabel("Path", { exact: true }).fill(target);
  await lab.getByRole("button", { name: "Ask" }).click();
}

/** @param {Locator} lab */
function nodes(lab) {
  return lab.locator(".lab-node").allInnerTexts();
}

/** @param {Locator} lab */
function steps(lab) {
  return lab.locator(".lab-step").allInnerTexts();
}

describe("the lab of chapter 8", { skip }, () => {
  test("splits a node when a route is added, says so, and joins it again", async () => {
    await withLab(radixTree, async (lab) => {
      assert.deepEqual(await nodes(lab), ["/", "things", "users/me", "/posts"]);
      await add(lab, "/users");
      assert.deepEqual(await nodes(lab), ["/", "things", "users", "/me", "/posts"]);
      assert.equal(
        await lab.locator(".lab-change").innerText(),
        "Added GET /users. The node “users/me” is split into “users” and, below it, “/me”.",
      );
      await lab.getByRole("button", { name: "Remove GET /users", exact: true }).click();
      assert.deepEqual(await nodes(lab), ["/", "things", "users/me", "/posts"]);
      assert.equal(
        await lab.locator(".lab-change").innerText(),
        "Removed GET /users. Two nodes are one again: “users/me”.",
      );
    });
  });

  test("goes down step by step, and stops where chapter 8 stops", async () => {
    await withLab(radixTree, async (lab) => {
      await ask(lab, "/users/me");
      assert.deepEqual(await steps(lab), ["/ matches", "users/me matches", "(end) GET /users/me"]);
      assert.equal(await lab.locator(".lab-verdict").innerText(), "Found: GET /users/me.");
      await add(lab, "/users/:id");
      await add(lab, "/users/mia");
      await ask(lab, "/users/max");
      assert.equal((await steps(lab)).at(-1), '(stop) nothing here begins like "ax"');
      assert.match(await lab.locator(".lab-verdict").innerText(), /^404: no route has the path/);
    });
  });
});

describe("the lab of chapter 9", { skip }, () => {
  test("turns back, and shows in the tree where it was", async () => {
    await withLab(explain, async (lab) => {
      await ask(lab, "/users/max");
      assert.deepEqual(await steps(lab), [
        "/ matches",
        "users/ matches",
        "m matches",
        '(back) nothing here begins like "ax"',
        ':id|:user is "max"',
        "(end) GET /users/:id",
      ]);
      assert.equal(
        await lab.locator(".lab-verdict").innerText(),
        "Found: GET /users/:id, id is “max”.",
      );
      assert.deepEqual(await lab.locator('[data-place="left"]').allInnerTexts(), ["m"]);
      await lab.locator(".lab-step").nth(2).click();
      assert.deepEqual(await lab.locator('[data-place="here"]').allInnerTexts(), [
        "/",
        "users/",
        "m",
      ]);
    });
  });

  test("says at the pattern why a route can't be added", async () => {
    await withLab(explain, async (lab) => {
      await add(lab, "/users/:other");
      const field = lab.getByLabel("Pattern");
      const message =
        "ERR_ROUTE_CONFLICT GET /users/:other (added at line 7) can never match: " +
        "GET /users/:id (added at line 1) takes every path it could";
      assert.equal(await lab.getByRole("alert").innerText(), message);
      assert.equal(await field.getAttribute("aria-invalid"), "true");
      assert.equal(
        await field.getAttribute("aria-describedby"),
        await lab.getByRole("alert").getAttribute("id"),
      );
      await add(lab, "users");
      assert.match(await lab.getByRole("alert").innerText(), /^ERR_PATTERN_INVALID /);
      await add(lab, "/teapots");
      assert.equal(await lab.getByRole("alert").innerText(), "");
      assert.equal(await field.getAttribute("aria-invalid"), null);
    });
  });

  test("shows one step after the other to who doesn't mind motion", async () => {
    await withLab(
      explain,
      async (lab) => {
        await ask(lab, "/users/max");
        assert.ok((await lab.locator(".is-to-come").count()) > 0);
        assert.equal(await lab.locator(".lab-verdict").innerText(), "");
        await lab.locator(".lab-verdict").filter({ hasText: "Found" }).waitFor();
        assert.equal(await lab.locator(".is-to-come").count(), 0);
      },
      { reducedMotion: "no-preference" },
    );
  });
});

describe("every lab", { skip }, () => {
  for (const file of [radixTree, explain]) {
    test(`works by keyboard alone: ${file}`, async () => {
      await withLab(file, async (lab, page) => {
        const before = await lab.locator(".lab-routes li").count();
        await lab.getByLabel("Pattern", { exact: true }).focus();
        await page.keyboard.press("Control+A");
        await page.keyboard.type("/teapots/:id");
        await page.keyboard.press("Enter");
        assert.equal(await lab.locator(".lab-routes li").count(), before + 1);
        for (let presses = 0; presses < 40; presses += 1) {
          await page.keyboard.press("Tab");
          const id = await page.evaluate(() => document.activeElement?.id ?? "");
          if (id.endsWith("-path")) break;
        }
        await page.keyboard.press("Control+A");
        await page.keyboard.type("/teapots/7");
        await page.keyboard.press("Enter");
        assert.equal(
          await lab.locator(".lab-verdict").innerText(),
          "Found: GET /teapots/:id, id is “7”.",
        );
        // The arrow keys, which turn pages elsewhere, leave a lab alone.
        await lab.locator(".lab-step").first().focus();
        await page.keyboard.press("ArrowRight");
        assert.ok(page.url().endsWith(file));
        const remove = lab.getByRole("button", { name: "Remove GET /teapots/:id" });
        await remove.focus();
        await page.keyboard.press("Enter");
        assert.equal(await lab.locator(".lab-routes li").count(), before);
        assert.match(
          (await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))) ?? "",
          /^Remove /,
        );
      });
    });

    test(`gives axe nothing to find while it is used: ${file}`, async () => {
      for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
        await withLab(
          file,
          async (lab, page) => {
            await add(lab, "/teapots/:id");
            await add(lab, "no slash");
            await ask(lab, "/nothing");
            await page.evaluate(axeSource);
            const found = await page.evaluate(async () => {
              const { violations } = await /** @type {any} */ (window).axe.run(".lab");
              return violations.map((/** @type {any} */ { id, nodes }) => [id, nodes[0].html]);
            });
            assert.deepEqual(found, []);
            const excess = await page.evaluate(
              () => document.documentElement.scrollWidth - innerWidth,
            );
            assert.ok(excess <= 0, `${excess} px too wide`);
          },
          { colorScheme, viewport: { width: 360, height: 740 } },
        );
      }
    });

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

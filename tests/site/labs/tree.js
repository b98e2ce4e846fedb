/** The labs of chapters 8 and 9, as a reader uses them. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { trees } from "../../../assets/labs/labs.js";
import { pageOfLab } from "../support.js";

/**
 * @import { Locator, Page } from "playwright-core"
 * @import { LabTests } from "../lab.test.js"
 */

const radixTree = pageOfLab(trees["radix-tree"].milestone);
const explain = pageOfLab(trees.explain.milestone);

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

/** @param {LabTests} tests */
export function testTrees({ skip, withLab, findNothing }) {
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
        assert.deepEqual(await steps(lab), [
          "/ matches",
          "users/me matches",
          "(end) GET /users/me",
        ]);
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
        assert.match(
          await lab.getByRole("alert").innerText(),
          /^ERR_ROUTE_\w+ GET \/users\/:other .*line 7.*GET \/users\/:id .*line 1/s,
        );
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

  describe("every lab of a tree", { skip }, () => {
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
              await findNothing(page);
            },
            { colorScheme, viewport: { width: 360, height: 740 } },
          );
        }
      });
    }
  });
}

/** The lab of chapter 19, as a reader uses it, and what it says of the model. */

import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { overload } from "../../../assets/labs/labs.js";
import { dataUrl, linkModules } from "../../../assets/labs/link.js";
import { beginning, curveOf, lines, play } from "../../../assets/labs/overload/model.js";
import { collectLabFiles } from "../../../tools/lib/lab-files.js";
import { root } from "../../../tools/lib/setup.js";
import { pageOfLab } from "../support.js";

/**
 * @import { Locator, Page } from "playwright-core"
 * @import { LabTests } from "../lab.test.js"
 */

const file = pageOfLab(overload.milestone);

/**
 * How many a second the lab says are answered in time.
 *
 * @param {Locator} lab
 */
async function goodputIn(lab) {
  const words = await lab.getByRole("status").innerText();
  return Number(/ (\d+) are answered in time/.exec(words)?.[1]);
}

/**
 * Waits until the lab tells of so many requests a second.
 *
 * @param {Page} page
 * @param {number} rate
 */
async function untilOf(page, rate) {
  await page.waitForFunction(
    (start) => document.querySelector(".lab-verdict")?.textContent?.startsWith(start),
    `Of ${rate} `,
  );
}

/** @param {LabTests} tests */
export function testOverload({ skip, withLab, findNothing }) {
  describe("what the lab of overload plays", () => {
    /** @type {Record<string, any>} */
    let modules;
    before(async () => {
      modules = await linkModules(collectLabFiles(root, overload), dataUrl);
    });

    test("collapses without a line, and doesn't with each of the others", () => {
      for (const [line, { name }] of lines.entries()) {
        const points = curveOf(modules, { ...beginning, line });
        const last = points[points.length - 1].goodput;
        if (line === 0) assert.ok(last < 0.05, `${name}: ${last}`);
        else assert.ok(last > 0.85, `${name}: ${last}`);
      }
    });

    test("doesn't recover from a crowd that asks again, unless somebody is refused", () => {
      const crowd = { ...beginning, load: 0.7, tries: 3, hasCrowd: true };
      assert.equal(play(modules, { ...crowd, line: 0 }).goodBySecond.at(-1), 0);
      assert.ok(Number(play(modules, { ...crowd, line: 4 }).goodBySecond.at(-1)) > 100);
    });
  });

  describe("the lab of chapter 19", { skip }, () => {
    test("draws goodput anew when the load or the line changes", async () => {
      await withLab(file, async (lab, page) => {
        assert.equal(await goodputIn(lab), 0);
        const chart = lab.getByRole("img").first();
        const before = await chart.getAttribute("aria-label");
        await lab.getByLabel("Who waits, and who is next").selectOption({ index: 4 });
        await page.waitForFunction(
          (old) => document.querySelector(".lab-chart")?.getAttribute("aria-label") !== old,
          before,
        );
        assert.ok((await goodputIn(lab)) > 180);
        await lab.getByLabel("Load, of what the server can answer").fill("50");
        await untilOf(page, 100);
        assert.ok((await goodputIn(lab)) > 90);
        await lab.getByRole("button", { name: "Start again" }).click();
        await untilOf(page, 400);
        assert.equal(await goodputIn(lab), 0);
      });
    });

    test("works by keyboard alone", async () => {
      await withLab(file, async (lab, page) => {
        await lab.getByLabel("Load, of what the server can answer").focus();
        await page.keyboard.press("Home");
        await untilOf(page, 20);
        await page.keyboard.press("Tab");
        await page.keyboard.press("ArrowRight");
        assert.equal(await lab.locator(".lab-value").nth(1).innerText(), "6 ms");
        assert.ok(page.url().endsWith(file));
      });
    });

    test("gives axe nothing to find while it is used", async () => {
      for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
        await withLab(
          file,
          async (lab, page) => {
            await findNothing(page);
            await lab.getByLabel("Four times as many").check();
            await lab.getByLabel("Who waits, and who is next").selectOption({ index: 2 });
            await findNothing(page);
          },
          { colorScheme, viewport: { width: 360, height: 740 } },
        );
      }
    });
  });
}

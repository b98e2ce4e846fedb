/** The figures are what their scripts draw. */

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, test } from "node:test";
import { drawFigures, outdatedFigures } from "../../tools/lib/figures.js";
import { root } from "../../tools/lib/setup.js";

const folder = path.join(root, "assets", "figures");

describe("the figures", () => {
  test("are up to date (npm run figures)", async () => {
    assert.deepEqual(outdatedFigures(folder, await drawFigures(folder)), []);
  });

  test("have a title and a description, and text no smaller than the page's", async () => {
    for (const { file, svg } of await drawFigures(folder)) {
      assert.match(svg, /<title id="title">[^<]{5,}<\/title>/, file);
      assert.match(svg, /<desc id="description">[^<]{40,}<\/desc>/, file);
      const [, base] = /viewBox="[^"]*"[^>]*? font-size="(\d+)"/.exec(svg) ?? [];
      assert.ok(Number(base) >= 18, `${file}: text of ${base} px`);
      for (const [element, size] of svg.matchAll(/<text[^>]*? font-size="([\d.]+)"[^>]*>/g)) {
        // Code is 14 px on a phone and 15 px elsewhere.
        const least = element.includes("Source Code Pro") ? 15 : 18;
        assert.ok(Number(size) >= least, `${file}: ${element}`);
      }
    }
  });
});

describe("the check of the figures", () => {
  test("sees a file that was changed, one that is missing, and one too many", () => {
    const place = mkdtempSync(path.join(tmpdir(), "figures-"));
    try {
      writeFileSync(path.join(place, "same.svg"), "<svg>same</svg>");
      writeFileSync(path.join(place, "other.svg"), "<svg>by hand</svg>");
      writeFileSync(path.join(place, "left-over.svg"), "<svg/>");
      const drawings = ["same", "other", "missing"].map((name) => ({
        file: `${name}.svg`,
        svg: `<svg>${name}</svg>`,
      }));
      assert.deepEqual(outdatedFigures(place, drawings), [
        { file: "other.svg", reason: "changed" },
        { file: "missing.svg", reason: "new" },
        { file: "left-over.svg", reason: "drawn by no script" },
      ]);
      assert.equal(readFileSync(path.join(place, "other.svg"), "utf8"), "<svg>by hand</svg>");
    } finally {
      rmSync(place, { recursive: true, force: true });
    }
  });
});

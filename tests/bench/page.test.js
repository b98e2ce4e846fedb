import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { JSDOM } from "jsdom";
import { describeResult, makePage } from "../../benchmarks/charts/page.js";
import { readMachine, readRuns } from "../../benchmarks/lib/compare.js";
import { bookMachine } from "../../benchmarks/lib/paths.js";
import { untie } from "./untie.js";

/** @param {Document} document @param {string} selector */
const texts = (document, selector) =>
  [...document.querySelectorAll(selector)].map(({ textContent }) => textContent ?? "");

describe("the page of two machines", () => {
  const html = makePage(bookMachine, bookMachine);
  const { document } = new JSDOM(html).window;

  it("needs no script, and nothing from elsewhere", () => {
    assert.equal(document.querySelector("script"), null);
    for (const element of document.querySelectorAll("[src], [href], link, iframe")) {
      assert.match(element.getAttribute("href") ?? "", /^#/, element.outerHTML.slice(0, 80));
    }
    assert.doesNotMatch(html, /url\(\s*['"]?https?:|@import/);
  });

  it("has the colours of both themes", () => {
    const css = texts(document, "style").join("\n");
    assert.match(css, /--figure-ink:#/);
    assert.match(
      css,
      /prefers-color-scheme:dark\)\{:root\{--figure-ink|prefers-color-scheme:dark\)/,
    );
    assert.equal(document.querySelector("[data-standalone]"), null);
  });

  it("has each chart of both, for wide pages and for narrow ones, and no id twice", () => {
    const charts = document.querySelectorAll("figure");
    assert.ok(charts.length >= 10, `${charts.length} charts`);
    for (const chart of charts) {
      assert.deepEqual(
        [...chart.querySelectorAll(":scope > svg")].map((svg) => svg.getAttribute("class")),
        ["wide", "narrow"],
      );
    }
    const ids = [...document.querySelectorAll("[id]")].map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length);
    for (const svg of document.querySelectorAll("svg")) {
      for (const id of svg.getAttribute("aria-labelledby")?.split(" ") ?? []) {
        assert.ok(svg.querySelector(`[id="${id}"]`), id);
      }
    }
  });

  it("has a verdict for every ratio, and agrees with itself where it may say so", () => {
    const verdicts = texts(document, ".ratios td:last-child");
    assert.ok(verdicts.length > 20, `${verdicts.length} verdicts`);
    assert.ok(verdicts.includes("agree"));
    assert.ok(!verdicts.includes("differ"));
  });

  it("says of each result how far it can be believed, and has its whole table", () => {
    const { noise } = /** @type {any} */ (readMachine(bookMachine, "typical")).derived;
    const floor = `its twins tie: noise up to ${(noise.floor * 100).toFixed(1)} %`;
    assert.ok(document.body.textContent?.includes(floor), floor);
    assert.ok(texts(document, "details pre").some((text) => /CPU us\/request/.test(text)));
  });

  it("says of a result whose twins don't tie that nothing follows from it", () => {
    const tied = readRuns(bookMachine, "engine");
    assert.match(describeResult(tied), /its twins tie: noise up to/);
    assert.match(describeResult(untie(tied)), /its twins DON'T TIE: nothing follows from it/);
  });

  it("takes published figures beside a machine's", () => {
    const beside = makePage(bookMachine, "article-2023-m1-max");
    assert.match(beside, /published in 2023/);
    assert.match(beside, /class="differ"/);
  });

  it("says which machine has no results", () => {
    assert.throws(() => makePage(bookMachine, "nowhere"), {
      code: "ERR_BENCH_RESULT",
      message: /nowhere has no result/,
    });
  });
});

/** Every link and anchor of the book resolves. No browser needed. */

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import path from "node:path";
import { before, describe, test } from "node:test";
import { attribute, brokenLinks, readPages } from "./links.js";
import { buildSite } from "./support.js";

/** @import { Page } from "./links.js" */

/** @type {string} */
let folder;
/** @type {Page[]} */
let pages;

before(async () => {
  folder = await buildSite();
  // mdBook's frame for pages without scripts; our pages don't use it.
  pages = readPages(folder).filter(({ file }) => file !== "toc.html");
});

describe("the book's links", () => {
  test("resolve, and so do their anchors", () => {
    assert.deepEqual(
      brokenLinks(pages, (file) => existsSync(path.join(folder, file))),
      [],
    );
  });

  test("lead out of the site by https alone, and never to this machine", () => {
    const outside = pages.flatMap(({ file, elements }) =>
      elements
        .filter(({ tagName }) => tagName === "a")
        .map((element) => attribute(element, "href") ?? "")
        .filter((link) => /^[a-z]+:/i.test(link) && !/^https:\/\/(?!localhost)/.test(link))
        .map((link) => `${file}: ${link}`),
    );
    assert.deepEqual(outside, []);
  });

  test("have one place to lead to: no id is there twice", () => {
    assert.deepEqual(
      pages.flatMap(({ file, repeatedIds }) => repeatedIds.map((id) => `${file}#${id}`)),
      [],
    );
  });
});

describe("the search for broken links", () => {
  const page = (/** @type {string} */ file, /** @type {string[]} */ links) => ({
    file,
    elements: links.map((href) => ({ tagName: "a", attrs: [{ name: "href", value: href }] })),
    ids: new Set(["here"]),
    repeatedIds: [],
  });

  test("sees a page and a heading that aren't there", () => {
    const links = ["b.html", "b.html#here", "#here", "c.html", "b.html#gone", "#gone", "x.css"];
    const made = /** @type {Page[]} */ (
      /** @type {unknown} */ ([page("a.html", links), page("b.html", [])])
    );
    assert.deepEqual(
      brokenLinks(made, (file) => file === "x.css"),
      [
        "a.html: c.html: no such file",
        "a.html: b.html#gone: no such heading",
        "a.html: #gone: no such heading",
      ],
    );
  });
});

/** The whole book in a browser: what must hold for each of its pages. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { after, describe, test } from "node:test";
import { buildSite, noBrowser, openBrowser, serveFolder } from "./support.js";

/** @import { Browser, BrowserContext, Page } from "playwright-core" */

const axeSource = readFileSync(
  createRequire(import.meta.url).resolve("axe-core/axe.min.js"),
  "utf8",
);

const phone = { width: 360, height: 740 };
const desktop = { width: 1440, height: 900 };

const folder = await buildSite();
const site = await serveFolder(folder);
/** @type {Browser | null} */
const browser = await openBrowser();
const skip = browser ? false : noBrowser;

after(async () => {
  await browser?.close();
  site.close();
});

/** The pages that the contents lead to, in their order. */
const pages = [
  ...readFileSync(path.join(folder, "toc.html"), "utf8").matchAll(/href="([^"]+\.html)"/g),
]
  .map(([, file]) => file)
  .filter((file) => !file.startsWith("css/"));
const everyPage = [...pages, "index.html", "print.html", "404.html"];

/**
 * @param {Parameters<Browser["newContext"]>[0]} options
 * @param {(context: BrowserContext) => Promise<void>} use
 */
async function withContext(options, use) {
  const context = await /** @type {Browser} */ (browser).newContext(options);
  try {
    await use(context);
  } finally {
    await context.close();
  }
}

/**
 * Opens each of the pages in turn, in one tab.
 *
 * @param {Parameters<Browser["newContext"]>[0]} options
 * @param {string[]} files
 * @param {(page: Page, file: string) => Promise<void>} look
 */
async function onEach(options, files, look) {
  await withContext(options, async (context) => {
    const page = await context.newPage();
    for (const file of files) {
      await page.goto(`${site.origin}/${file}`);
      await look(page, file);
    }
  });
}

/** @type {Map<string, Promise<Page>>} tabs that many tests use, by their options */
const tabs = new Map();

/**
 * Opens a page of the book in a tab that other tests use, too: a new one reads
 * the fonts, the style and the scripts again.
 *
 * @param {Parameters<Browser["newContext"]>[0]} options
 * @param {string} file
 * @returns {Promise<Page>}
 */
async function openInTab(options, file) {
  const key = JSON.stringify(options);
  const open = async () => {
    const context = await /** @type {Browser} */ (browser).newContext(options);
    return context.newPage();
  };
  const tab = tabs.get(key) ?? open();
  tabs.set(key, tab);
  const page = await tab;
  await page.goto(`${site.origin}/${file}`);
  return page;
}

/**
 * @param {Page} page
 * @param {string[]} [rules] all of axe's unless given
 * @returns {Promise<string[]>} what axe finds
 */
async function accessibilityProblems(page, rules) {
  await page.evaluate(axeSource);
  return page.evaluate(async (only) => {
    const { axe } = /** @type {any} */ (window);
    const options = only ? { runOnly: { type: "rule", values: only } } : {};
    const { violations } = await axe.run(document, options);
    return violations.flatMap((/** @type {any} */ { id, nodes }) =>
      nodes.map((/** @type {any} */ node) => `${id}: ${node.html.slice(0, 160)}`),
    );
  }, rules);
}

/**
 * Leaves one of all the words and lines of a page's listings that have the same
 * classes, all the way up to the listing: colours come from classes alone, and
 * a chapter has thousands of such words, each of which axe would measure twice.
 *
 * @param {Page} page
 * @returns {Promise<void>}
 */
function dropLikeWords(page) {
  return page.evaluate(() => {
    const known = new Set();
    /** @param {Element} element */
    const isKnown = (element) => {
      let place = "";
      for (let at = element; at.tagName !== "PRE"; at = at.parentElement ?? at) {
        place += `${at.tagName}.${at.className} `;
      }
      const has = known.has(place);
      known.add(place);
      return has;
    };
    for (const word of document.querySelectorAll("pre [class^=t-]")) {
      if (isKnown(word)) word.replaceWith(word.textContent ?? "");
    }
    for (const line of document.querySelectorAll("pre .line")) {
      if (line.querySelector("[class^=t-]") === null && isKnown(line)) line.remove();
    }
  });
}

/** @param {Page} page */
function sidewaysScroll(page) {
  return page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
}

describe("each page of the book", { skip }, () => {
  test("loads without an error and without a request that leaves the site", async () => {
    /** @type {string[]} */
    const troubles = [];
    await withContext({ viewport: desktop }, async (context) => {
      const page = await context.newPage();
      page.on("console", (message) => {
        if (message.type() === "error") troubles.push(`${page.url()}: ${message.text()}`);
      });
      page.on("pageerror", (err) => troubles.push(`${page.url()}: ${err.message}`));
      page.on("request", (request) => {
        // A lab makes modules of what came with the page.
        const url = request.url().replace(/^blob:/, "");
        if (!url.startsWith(site.origin)) troubles.push(`asks for ${url}`);
      });
      page.on("response", (response) => {
        if (response.status() >= 400) troubles.push(`${response.status()} ${response.url()}`);
      });
      for (const file of everyPage) {
        await page.goto(`${site.origin}/${file}`);
        await page.evaluate(() => document.fonts.ready.then(() => undefined));
      }
    });
    assert.deepEqual(troubles, []);
  });

  for (const file of pages) {
    test(`gives axe nothing to find, in the light theme and in the dark: ${file}`, async () => {
      // A colour that is on its way to another would be judged as it passes.
      const options = { viewport: desktop, reducedMotion: /** @type {const} */ ("reduce") };
      const page = await openInTab(options, file);
      await dropLikeWords(page);
      await page.emulateMedia({ colorScheme: "light" });
      assert.deepEqual(await accessibilityProblems(page), [], "in the light theme");
      await page.emulateMedia({ colorScheme: "dark" });
      const colours = await accessibilityProblems(page, ["color-contrast"]);
      assert.deepEqual(colours, [], "in the dark theme");
    });
  }

  for (const file of everyPage) {
    test(`doesn't scroll sideways on a phone, and what scrolls inside it can be focused: ${file}`, async () => {
      const page = await openInTab({ viewport: phone }, file);
      const excess = await sidewaysScroll(page);
      assert.ok(excess <= 0, `it is ${excess} px too wide`);
      const problems = await accessibilityProblems(page, [
        "scrollable-region-focusable",
        "aria-allowed-role",
        "link-in-text-block",
      ]);
      assert.deepEqual(problems, []);
    });
  }

  test("shows lines of 76 columns whole on a desktop", async () => {
    /** @type {string[]} */
    const found = [];
    await onEach({ viewport: desktop }, pages, async (page, file) => {
      const cut = await page.evaluate(() =>
        [...document.querySelectorAll("main > .listing pre")]
          .filter((pre) => pre.scrollWidth > pre.clientWidth)
          .map((pre) => (pre.textContent ?? "").replaceAll(/^(added|removed): /gm, ""))
          .filter((text) => text.split("\n").every((line) => line.length <= 76)),
      );
      if (cut.length > 0) found.push(`${file}: ${cut[0]}`);
      const excess = await sidewaysScroll(page);
      if (excess > 0) found.push(`${file} is ${excess} px too wide`);
    });
    assert.deepEqual(found, []);
  });

  test("has figures with text no smaller than its own on a phone", async () => {
    /** @type {string[]} */
    const found = [];
    await onEach({ viewport: phone }, pages, async (page, file) => {
      const small = await page.evaluate(() => {
        const sizeOf = (/** @type {Element} */ element) =>
          Number.parseFloat(getComputedStyle(element).fontSize);
        const least = {
          text: sizeOf(document.body),
          code: sizeOf(document.querySelector("pre") ?? document.body),
        };
        return [...document.querySelectorAll(".figure svg")]
          .filter((svg) => svg.getClientRects().length > 0)
          .flatMap((svg) => {
            const { viewBox } = /** @type {SVGSVGElement} */ (svg);
            const scale = svg.clientWidth / viewBox.baseVal.width;
            return [...svg.querySelectorAll("text")].map((text) => {
              const isCode = getComputedStyle(text).fontFamily.includes("Code");
              const size = sizeOf(text) * scale;
              const isSmall = size < (isCode ? least.code : least.text) - 0.1;
              return isSmall ? `${text.textContent}: ${size.toFixed(1)} px` : "";
            });
          })
          .filter(Boolean);
      });
      found.push(...small.map((each) => `${file}: ${each}`));
    });
    assert.deepEqual(found, []);
  });

  for (const file of pages) {
    test(`can be read with scripts off: the same text, contents to go by, no dead buttons: ${file}`, async () => {
      const textOf = (/** @type {Page} */ page) =>
        page.evaluate(() => {
          const main = /** @type {HTMLElement} */ (document.querySelector("main"));
          // A script adds these buttons; a lab has a figure without scripts.
          for (const element of main.querySelectorAll(".copy, .lab")) element.remove();
          return main.innerText;
        });
      const text = await textOf(await openInTab({ viewport: phone }, file));
      const options = { viewport: phone, javaScriptEnabled: false };
      const page = await openInTab(options, file);
      assert.equal(await textOf(page), text);
      const { links, buttons, excess } = await page.evaluate(() => ({
        links: [...document.querySelectorAll(".contents a")].filter(
          (link) => link.getClientRects().length > 0,
        ).length,
        buttons: [...document.querySelectorAll("button")].filter(
          (button) => button.getClientRects().length > 0,
        ).length,
        excess: document.documentElement.scrollWidth - innerWidth,
      }));
      assert.ok(links > pages.length, `${links} links in the contents`);
      assert.equal(buttons, 0, "a button that does nothing");
      assert.ok(excess <= 0, `it is ${excess} px too wide`);
    });
  }

  test("is found by a word that it alone has", async () => {
    /** @type {Map<string, Set<string>>} */
    const words = new Map();
    for (const file of pages) {
      const html = readFileSync(path.join(folder, file), "utf8");
      const text = [...html.matchAll(/<p>([\s\S]*?)<\/p>/g)]
        .map(([, inner]) => inner.replaceAll(/<[^>]*>/g, "").replaceAll(/&\w+;/g, "-"))
        .join(" ");
      words.set(file, new Set(text.toLowerCase().match(/(?<![\w’'/.+-])[a-z]{4,}(?![\w’'/.+-])/g)));
    }
    // From one page: each page that is opened reads the whole index again.
    await onEach({ viewport: desktop }, [pages[0]], async (page) => {
      await page.keyboard.press("/");
      for (const file of pages) {
        const others = pages.filter((other) => other !== file).map((other) => words.get(other));
        // Search goes by stems: a word's neighbours must not stand elsewhere either.
        const own = [...(words.get(file) ?? [])].find((word) => {
          const stem = word.replace(/(?:ing|ed|e?s|ers?|e|ly)$/, "");
          const isNear = (/** @type {string} */ each) => each.startsWith(stem.slice(0, 5));
          return stem.length > 3 && others.every((set) => ![...(set ?? [])].some(isNear));
        });
        assert.ok(own, `${file} has no word of its own to search for`);
        await page.fill("#mdbook-searchbar", own);
        await page.keyboard.press("End");
        // What it says over the results names the word that they are for.
        await page.waitForFunction(
          (word) =>
            document.querySelector("#mdbook-searchresults-header")?.textContent?.includes(word),
          own,
        );
        const targets = await page.$$eval("#mdbook-searchresults li a", (links) =>
          links.map((link) => /** @type {HTMLAnchorElement} */ (link).pathname),
        );
        assert.ok(targets.includes(`/${file}`), `${file}: “${own}” finds ${targets.join(", ")}`);
      }
    });
  });
});

describe("the print page", { skip }, () => {
  test("holds every chapter, whole", async () => {
    await withContext({ viewport: desktop }, async (context) => {
      const print = await context.newPage();
      await print.goto(`${site.origin}/print.html`);
      const outline = (/** @type {Page} */ page) =>
        page.evaluate(() =>
          [...document.querySelectorAll("main :is(h1, h2, h3, figcaption)")].map((element) =>
            (element.textContent ?? "").replace(/\s+/g, " "),
          ),
        );
      const all = (await outline(print)).join("\n");
      const page = await context.newPage();
      for (const file of pages) {
        await page.goto(`${site.origin}/${file}`);
        const lines = (await outline(page)).join("\n");
        assert.ok(lines.length > 0 && all.includes(lines), `${file} is not on the print page`);
      }
    });
  });
});

describe("the way through the book", { skip }, () => {
  test("leads from each page to the next, and back", async () => {
    await withContext({ viewport: desktop }, async (context) => {
      const page = await context.newPage();
      const files = () => page.url().slice(site.origin.length + 1);
      await page.goto(`${site.origin}/${pages[0]}`);
      for (const next of pages.slice(1)) {
        await Promise.all([page.waitForURL(`**/${next}`), page.click(".way-on .next")]);
        assert.equal(await page.getAttribute('.contents a[aria-current="page"]', "href"), next);
      }
      assert.equal(await page.$(".way-on .next"), null);
      await page.keyboard.press("ArrowLeft");
      await page.waitForURL(`**/${pages.at(-2)}`);
      assert.equal(files(), pages.at(-2));
    });
  });

  test("shows in the contents where one is, and leaves the keyboard at the top", async () => {
    const low = { width: 1440, height: 400 };
    await onEach({ viewport: low }, [pages[0], pages[pages.length - 1]], async (page, file) => {
      const { top, bottom } = await page.$eval('.contents a[aria-current="page"]', (link) =>
        link.getBoundingClientRect().toJSON(),
      );
      assert.ok(top >= 0 && bottom <= low.height, `${file} is at ${top} in the contents`);
      await page.keyboard.press("Tab");
      assert.equal(await page.evaluate(() => document.activeElement?.className), "skip-link");
    });
  });

  test("starts at the index page with the first page's text", async () => {
    assert.ok(readdirSync(folder).includes("index.html"));
    await onEach({ viewport: desktop }, ["index.html"], async (page) => {
      assert.equal(await page.getAttribute('.contents a[aria-current="page"]', "href"), pages[0]);
    });
  });
});

/**
 * What the pages do, on sample chapters whose every listing is known: the
 * buttons that copy, the theme's switch, the contents on a phone, the keys.
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { buildSite, makeSampleBook, noBrowser, openBrowser, serveFolder } from "./support.js";

/** @import { Browser, BrowserContext, Page } from "playwright-core" */

const desktop = { width: 1440, height: 900 };
const phone = { width: 360, height: 740 };

const site = await serveFolder(await buildSite(makeSampleBook()));
/** @type {Browser | null} */
const browser = await openBrowser();
const skip = browser ? false : noBrowser;

after(async () => {
  await browser?.close();
  site.close();
});

/**
 * @param {string} file
 * @param {Parameters<Browser["newContext"]>[0]} options
 * @param {(page: Page) => Promise<void>} use
 */
async function withPage(file, options, use) {
  const context = await /** @type {Browser} */ (browser).newContext(options);
  try {
    const page = await context.newPage();
    await page.goto(`${site.origin}/${file}`);
    await use(page);
  } finally {
    await context.close();
  }
}

describe("the copy button", { skip }, () => {
  /** @type {BrowserContext} */
  let context;
  /** @type {Page} */
  let page;
  before(async () => {
    context = await /** @type {Browser} */ (browser).newContext({ viewport: desktop });
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    page = await context.newPage();
  });
  after(() => context?.close());

  /**
   * Presses a figure's buttons, one after the other.
   *
   * @param {string} file
   * @param {string} figure a selector
   * @param {number} [index]
   * @returns {Promise<string[]>} what each put on the clipboard
   */
  async function copied(file, figure, index = 0) {
    await page.goto(`${site.origin}/${file}`);
    const texts = [];
    for (const button of await page.locator(figure).nth(index).locator(".copy").all()) {
      await page.evaluate(() => navigator.clipboard.writeText("nothing"));
      await button.click();
      await button.filter({ hasText: "Copied" }).waitFor();
      texts.push(await page.evaluate(() => navigator.clipboard.readText()));
    }
    return texts;
  }

  test("of a file copies all of it, with its last line's end", async () => {
    assert.deepEqual(await copied("ch01-sample.html", '[data-copy="file"]'), [
      `import { createServer } from "node:net";

const port = Number(process.env.PORT ?? 3000);

// Seventy-six columns is what a listing may take: this line has all of them.
const server = createServer((socket) => {
  socket.on("data", (bytes) => socket.end(\`you said: \${bytes.toString()}\`));
});

server.listen(port, () => console.log(\`listening on \${port}, \${1 + 2 === 3}\`));
`,
    ]);
  });

  test("of a change copies each place as it reads afterwards", async () => {
    assert.deepEqual(await copied("ch02-fences.html", ".diff"), [
      `import { createServer } from "node:net";
import { HttpError } from "./errors.js";

`,
      `const server = createServer((socket) => {
  socket.on("data", (bytes) => {
    if (bytes.length === 0) throw new HttpError(400, "no bytes");

    socket.end(\`you said: \${bytes}\`);
  });
});
`,
    ]);
  });

  test("of a terminal copies what is typed: no prompt, no output, no last Enter", async () => {
    assert.deepEqual(await copied("ch01-sample.html", ".terminal"), ["node server.js"]);
    assert.deepEqual(await copied("ch01-sample.html", ".terminal", 1), [
      "curl -i http://localhost:3000/ \\\n    --http0.9\ncurl --silent http://localhost:3000/again",
    ]);
  });

  test("isn't there where nothing is typed", async () => {
    assert.deepEqual(await copied("ch01-sample.html", ".terminal", 2), []);
    assert.deepEqual(await copied("ch02-fences.html", ".reading"), []);
  });

  test("works in a list, in a quote, and on HTML", async () => {
    assert.deepEqual(await copied("ch02-fences.html", "li [data-copy]"), [
      'export const inAList = "a";\n\nexport const after = "an empty line";\n',
    ]);
    assert.deepEqual(await copied("ch02-fences.html", "blockquote [data-copy]"), [
      'export const inAQuote = "`";\n\nexport const after = "an empty line";\n',
    ]);
    assert.deepEqual(await copied("ch02-fences.html", 'main > [data-copy="file"]', 2), [
      "<!doctype html>\n<title>Hello &amp; goodbye</title>\n",
    ]);
  });

  test("has a name that says what it copies", async () => {
    await page.goto(`${site.origin}/ch02-fences.html`);
    const names = await page.$$eval(".copy", (buttons) =>
      buttons.map((button) => button.getAttribute("aria-label")),
    );
    assert.deepEqual([...new Set(names)].sort(), [
      "Copy lib/nested.js",
      "Copy lib/quoted.js",
      "Copy package.json",
      "Copy public/index.html",
      "Copy server.js",
      "Copy the command",
      "Copy these lines as they are after the change",
    ]);
  });
});

describe("selecting a listing by hand", { skip }, () => {
  test("takes neither signs nor prompts nor words for screen readers", async () => {
    await withPage("ch02-fences.html", { viewport: desktop }, async (page) => {
      const select = (/** @type {string} */ selector) =>
        page.evaluate((selector) => {
          const element = /** @type {Element} */ (document.querySelector(selector));
          const selection = /** @type {Selection} */ (getSelection());
          selection.selectAllChildren(element);
          return selection.toString();
        }, selector);
      const diff = await select(".diff .hunk:nth-of-type(2) code");
      assert.match(diff, /throw new HttpError/);
      assert.doesNotMatch(diff, /added|removed|^[+\u2212]/m);
      assert.doesNotMatch(await select(".terminal code"), /\$/);
    });
  });
});

describe("a change's lines", { skip }, () => {
  test("are marked by a sign in the margin as well as by colour", async () => {
    await withPage("ch02-fences.html", { viewport: desktop }, async (page) => {
      const signs = await page.$$eval(".diff :is(ins, del)", (lines) =>
        lines.map((line) => getComputedStyle(line, "::before").content.slice(0, 3)),
      );
      assert.deepEqual([...new Set(signs)].sort(), ['"+"', '"\u2212"']);
    });
  });
});

describe("the theme", { skip }, () => {
  const background = (/** @type {Page} */ page) =>
    page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const light = "rgb(253, 252, 249)";
  const dark = "rgb(27, 28, 31)";

  test("is the system's until it is switched, and then stays switched", async () => {
    const options = { viewport: desktop, colorScheme: /** @type {const} */ ("dark") };
    await withPage("ch01-sample.html", options, async (page) => {
      assert.equal(await background(page), dark);
      await page.click("#theme-toggle");
      assert.equal(await background(page), light);
      await page.goto(`${site.origin}/ch03-prose.html`);
      assert.equal(await background(page), light);
      await page.click("#theme-toggle");
      assert.equal(await background(page), dark);
      // Back at the system's: the page follows it again.
      await page.emulateMedia({ colorScheme: "light" });
      assert.equal(await background(page), light);
    });
  });

  test("follows the system with scripts off", async () => {
    const options = { colorScheme: /** @type {const} */ ("dark"), javaScriptEnabled: false };
    await withPage("ch01-sample.html", options, async (page) => {
      assert.equal(await background(page), dark);
    });
  });

  test("is what a figure inside the page is drawn in", async () => {
    const options = { viewport: desktop, colorScheme: /** @type {const} */ ("dark") };
    await withPage("ch01-sample.html", options, async (page) => {
      const fill = await page.$eval(".figure .wide text", (text) => getComputedStyle(text).fill);
      assert.equal(fill, "rgb(217, 213, 205)");
    });
  });
});

describe("a figure with two drawings", { skip }, () => {
  test("shows the one that fits", async () => {
    for (const [viewport, shown] of /** @type {const} */ ([
      [desktop, "wide"],
      [phone, "narrow"],
    ])) {
      await withPage("ch01-sample.html", { viewport }, async (page) => {
        const visible = await page.$$eval(".figure svg", (drawings) =>
          drawings
            .filter((drawing) => drawing.getClientRects().length > 0)
            .map((drawing) => drawing.getAttribute("class")),
        );
        assert.deepEqual(visible, [shown]);
      });
    }
  });
});

describe("the contents on a phone", { skip }, () => {
  const isOpen = (/** @type {Page} */ page) =>
    page.$eval("#contents", (contents) => getComputedStyle(contents).visibility === "visible");

  test("open over the text, and close by button, by Escape and by a press beside them", async () => {
    const options = { viewport: phone, reducedMotion: /** @type {const} */ ("reduce") };
    await withPage("ch01-sample.html", options, async (page) => {
      assert.equal(await isOpen(page), false);
      for (const close of [
        () => page.click(".contents-close"),
        () => page.keyboard.press("Escape"),
        () => page.mouse.click(355, 500),
      ]) {
        await page.click("#contents-toggle");
        assert.equal(await isOpen(page), true);
        await close();
        assert.equal(await isOpen(page), false);
        assert.equal(await page.evaluate(() => document.activeElement?.id), "contents-toggle");
      }
    });
  });

  test("hold the sections of the page, which lead there", async () => {
    const options = { viewport: phone, reducedMotion: /** @type {const} */ ("reduce") };
    await withPage("ch01-sample.html", options, async (page) => {
      await page.click("#contents-toggle");
      await page.click('.contents a[href="#two-requests-in-one-packet"]');
      assert.equal(await isOpen(page), false);
      assert.match(page.url(), /#two-requests-in-one-packet$/);
    });
  });
});

describe("the keyboard", { skip }, () => {
  test("comes to the skip link first, and it leads to the text", async () => {
    await withPage("ch01-sample.html", { viewport: desktop }, async (page) => {
      await page.keyboard.press("Tab");
      assert.equal(await page.evaluate(() => document.activeElement?.className), "skip-link");
      const { x, y } = await page.$eval(".skip-link", (link) => link.getBoundingClientRect());
      assert.ok(x >= 0 && y >= 0, "the link is in sight");
      await page.keyboard.press("Enter");
      assert.equal(await page.evaluate(() => document.activeElement?.id), "mdbook-content");
    });
  });

  test("shows where it is", async () => {
    await withPage("ch03-prose.html", { viewport: desktop }, async (page) => {
      await page.keyboard.press("Tab");
      await page.keyboard.press("Tab");
      const outline = await page.evaluate(() => {
        const { outlineStyle, outlineWidth } = getComputedStyle(
          /** @type {Element} */ (document.activeElement),
        );
        return `${outlineStyle} ${outlineWidth}`;
      });
      assert.equal(outline, "solid 2px");
    });
  });

  test("turns pages with the arrows, but not while somebody types", async () => {
    await withPage("ch01-sample.html", { viewport: desktop }, async (page) => {
      await page.keyboard.press("ArrowRight");
      await page.waitForURL("**/ch02-fences.html");
      await page.keyboard.press("/");
      await page.keyboard.type("xylophone");
      await page.keyboard.press("ArrowLeft");
      await page.waitForSelector("#mdbook-searchresults li");
      assert.match(page.url(), /ch02-fences\.html\?search=xylophone/);
      await page.keyboard.press("Escape");
      assert.equal(await page.isVisible("#mdbook-search-wrapper"), false);
    });
  });
});

describe("what moves", { skip }, () => {
  test("doesn't for who asked for less of it", async () => {
    const options = { viewport: phone, reducedMotion: /** @type {const} */ ("reduce") };
    await withPage("ch01-sample.html", options, async (page) => {
      const durations = await page.$$eval("*", (elements) =>
        elements
          .map((element) => getComputedStyle(element))
          .map((style) => `${style.transitionDuration} ${style.scrollBehavior}`),
      );
      assert.deepEqual([...new Set(durations)], ["0s auto"]);
    });
  });
});

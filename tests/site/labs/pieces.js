/** The lab of chapter 3, as a reader uses it, and what it draws. */

import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { PageBuffer } from "../../../assets/labs/buffer.js";
import { bytesOf } from "../../../assets/labs/bytes.js";
import { pieces } from "../../../assets/labs/labs.js";
import { dataUrl, linkModules } from "../../../assets/labs/link.js";
import { boxes, ways } from "../../../assets/labs/pieces/diagram.js";
import { Feeding } from "../../../assets/labs/pieces/model.js";
import { collectLabFiles } from "../../../tools/lib/lab-files.js";
import { root } from "../../../tools/lib/setup.js";
import { pageOfLab } from "../support.js";

/**
 * @import { Locator } from "playwright-core"
 * @import { LabTests } from "../lab.test.js"
 */

const file = pageOfLab(pieces.milestone);

/** @param {Locator} lab @param {string} name */
function press(lab, name) {
  return lab.getByRole("button", { name, exact: true }).click();
}

/** @param {Locator} lab */
function status(lab) {
  return lab.getByRole("status").innerText();
}

/** @param {Locator} lab */
async function facts(lab) {
  return Object.fromEntries(
    await lab
      .locator("dt")
      .evaluateAll((terms) =>
        terms.map((term) => [term.textContent, term.nextElementSibling?.textContent]),
      ),
  );
}

/** @param {Locator} lab */
async function targets(lab) {
  const texts = await lab.locator(".lab-requests li").allInnerTexts();
  return texts.map((text) => JSON.parse(text).target);
}

/** @param {LabTests} tests */
export function testPieces({ skip, withLab, findNothing }) {
  const bundle = collectLabFiles(root, pieces);
  /** @type {Record<string, any>} */
  let modules;
  before(async () => {
    modules = await linkModules(bundle, dataUrl);
  });

  /** @param {Buffer} bytes @param {number[]} [cuts] */
  const feedingOf = (bytes, cuts = []) =>
    new Feeding({
      module: modules["request-parser"],
      states: bundle.states,
      reads: pieces.reads["request-parser"],
      bytes,
      cuts,
    });

  /** @param {Feeding} feeding */
  const feedAll = (feeding) => {
    while (!feeding.isDone) feeding.feed();
    return feeding;
  };

  describe("the drawing of the parser's states", () => {
    test("has the states that the milestone's file has", () => {
      assert.deepEqual(Object.keys(boxes).sort(), [...bundle.states].sort());
    });

    test("has the ways between them that the parser takes, and no others", () => {
      /** @type {Set<string>} */
      const taken = new Set();
      const trailers =
        "PUT / HTTP/1.1\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n0\\r\\nA: b\\r\\n\\r\\n";
      for (const text of [...pieces.examples.map((each) => each.text), trailers]) {
        const { passed } = feedAll(feedingOf(bytesOf(text)));
        for (const [index, state] of passed.slice(1).entries()) {
          taken.add(`${passed[index]} ${state}`);
        }
      }
      const drawn = ways.map(({ from, to }) => `${from} ${to}`);
      assert.deepEqual(drawn.sort(), [...taken].sort());
    });
  });

  describe("the examples of the lab of pieces", () => {
    test("come out the same wherever they are cut, with the page's Buffer too", async () => {
      const { Buffer } = globalThis;
      for (const Kind of [Buffer, PageBuffer]) {
        Object.assign(globalThis, { Buffer: Kind });
        try {
          modules = await linkModules(bundle, dataUrl);
          for (const { text, cuts } of pieces.examples) {
            const bytes = bytesOf(text);
            const shown = (/** @type {Feeding} */ { requests, refusal }) =>
              JSON.stringify([refusal, requests.map((each) => [each, each.body.toString()])]);
            const whole = feedAll(feedingOf(bytes));
            assert.ok(whole.requests.length > 0, text);
            assert.equal(shown(feedAll(feedingOf(bytes, cuts))), shown(whole));
            for (let cut = 1; cut < bytes.length; cut += 1) {
              assert.equal(
                shown(feedAll(feedingOf(bytes, [cut]))),
                shown(whole),
                `${cut}: ${text}`,
              );
            }
          }
        } finally {
          Object.assign(globalThis, { Buffer });
        }
      }
    });
  });

  describe("the lab of chapter 3", { skip }, () => {
    test("feeds piece by piece and shows what the parser holds", async () => {
      await withLab(file, async (lab) => {
        await press(lab, "Feed the next piece");
        assert.equal(await status(lab), "Piece 1 of 3: 14 bytes. The parser is at: request line.");
        assert.deepEqual(await facts(lab), {
          "#state": "REQUEST_LINE",
          "#line": '"POST /greet HT"',
          "The body so far": "none",
          "What is missing": "the end of a line",
        });
        await press(lab, "Feed the next piece");
        assert.deepEqual(await facts(lab), {
          "#state": "BODY",
          "#line": '""',
          "The body so far": '"Zo\\xc3"',
          "What is missing": "1 byte",
        });
        assert.equal(await lab.locator(".lab-state.is-here").textContent(), "body");
        assert.deepEqual(await targets(lab), []);
        await press(lab, "Feed the next piece");
        assert.deepEqual(await targets(lab), ["/greet"]);
        assert.match(await lab.locator(".lab-requests li").innerText(), /"body":"Zoë"/);
        assert.match(await status(lab), /All bytes are fed: 1 request\.$/);
      });
    });

    test("cuts where it is pressed, and begins again when a fed piece is cut", async () => {
      await withLab(file, async (lab) => {
        await lab.getByLabel("A request with").selectOption("two requests");
        await lab.getByRole("button", { name: /^Cut after byte 20,/ }).click();
        assert.equal(await status(lab), "Cut after byte 20.");
        await press(lab, "Feed the next piece");
        assert.match(await status(lab), /^Piece 1 of 3: 20 bytes\./);
        const earlier = lab.getByRole("button", { name: /^Cut after byte 5,/ });
        await earlier.click();
        assert.equal(await status(lab), "Cut after byte 5. The parser starts again.");
        assert.equal(await earlier.getAttribute("aria-pressed"), "true");
        await earlier.click();
        assert.equal(await earlier.getAttribute("aria-pressed"), "false");
        await press(lab, "Cut at every byte");
        assert.equal(await status(lab), "60 pieces.");
        await press(lab, "Feed all");
        assert.deepEqual(await targets(lab), ["/one", "/two"]);
        await press(lab, "No cuts");
        await press(lab, "Feed all");
        assert.deepEqual(await targets(lab), ["/one", "/two"]);
        await press(lab, "Start again");
        assert.deepEqual(await targets(lab), []);
      });
    });

    test("takes a reader's own bytes, and shows a refusal", async () => {
      await withLab(file, async (lab) => {
        await lab.getByLabel("or bytes of your own").fill("GET /a HTTP/1.1\\nHost: x\\n\\n");
        await press(lab, "Feed all");
        assert.equal(await lab.locator(".lab-error").innerText(), "400: a line ends in CR and LF");
        assert.match(await status(lab), /The parser refuses the bytes with 400\.$/);
        assert.equal(await lab.locator('[data-read="refused"]').count(), 9);
      });
    });

    test("shows one piece after the other to who doesn't mind motion", async () => {
      await withLab(
        file,
        async (lab) => {
          await press(lab, "Feed all");
          assert.match(await status(lab), /^Piece 1 of 3/);
          await lab.locator(".lab-requests li").waitFor();
        },
        { reducedMotion: "no-preference" },
      );
    });

    test("works by keyboard alone", async () => {
      await withLab(file, async (lab, page) => {
        await lab.getByLabel("or bytes of your own").focus();
        await page.keyboard.press("Tab");
        for (const key of ["ArrowRight", "ArrowRight", "Enter", "ArrowRight", "Space"]) {
          await page.keyboard.press(key);
        }
        const pressed = lab.locator('.lab-gap[aria-pressed="true"]');
        const names = await pressed.evaluateAll((all) =>
          all.map((each) => each.getAttribute("aria-label")),
        );
        assert.deepEqual(names.slice(0, 2), [
          "Cut after byte 3, between S and T",
          "Cut after byte 4, between T and space",
        ]);
        // Down goes to the next line of the request, up comes back.
        await page.keyboard.press("ArrowDown");
        const name = () =>
          page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? "");
        assert.match(await name(), /^Cut after byte 2\d, between/);
        await page.keyboard.press("ArrowUp");
        assert.match(await name(), /^Cut after byte [345],/);
        await page.keyboard.press("Tab");
        await page.keyboard.press("Enter");
        assert.match(await status(lab), /^Piece 1 of 5: 3 bytes\./);
        assert.ok(page.url().endsWith(file));
      });
    });

    test("can be cut with a finger on a phone", async () => {
      await withLab(
        file,
        async (lab) => {
          const gap = lab.getByRole("button", { name: /^Cut after byte 2,/ });
          const { width, height } = (await gap.boundingBox()) ?? { width: 0, height: 0 };
          assert.ok(width >= 24 && height >= 24, `${width} x ${height}`);
          await gap.tap();
          assert.equal(await status(lab), "Cut after byte 2.");
        },
        { viewport: { width: 360, height: 740 }, hasTouch: true },
      );
    });

    test("gives axe nothing to find while it is used", async () => {
      for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
        await withLab(
          file,
          async (lab, page) => {
            await press(lab, "Feed the next piece");
            await press(lab, "Feed the next piece");
            await findNothing(page);
            await press(lab, "Feed all");
            await findNothing(page);
            await lab.getByLabel("or bytes of your own").fill("GET\\n and more");
            await press(lab, "Feed all");
            await findNothing(page);
          },
          { colorScheme, viewport: { width: 360, height: 740 } },
        );
      }
    });
  });
}

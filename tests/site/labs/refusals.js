/** The lab of chapter 4, as a reader uses it, and the rules that it names. */

import assert from "node:assert/strict";
import { STATUS_CODES } from "node:http";
import { before, describe, test } from "node:test";
import { refusals } from "../../../assets/labs/labs.js";
import { dataUrl, linkModules } from "../../../assets/labs/link.js";
import { readCommand, send } from "../../../assets/labs/refusals/model.js";
import { reasonPhrases, rules } from "../../../assets/labs/refusals/rules.js";
import { collectLabFiles } from "../../../tools/lib/lab-files.js";
import { root } from "../../../tools/lib/setup.js";
import { pageOfLab } from "../support.js";

/**
 * @import { Locator } from "playwright-core"
 * @import { LabTests } from "../lab.test.js"
 */

const file = pageOfLab(refusals.milestone);
const own = "or bytes of your own, as raw.js takes them";

/** @param {Locator} lab @param {string} text */
async function sendOwn(lab, text) {
  await lab.getByLabel(own).fill(text);
  await lab.getByRole("button", { name: "Send" }).click();
}

/** @param {LabTests} tests */
export function testRefusals({ skip, withLab, findNothing }) {
  const bundle = collectLabFiles(root, refusals);
  /** @type {Record<string, any>} */
  let modules;
  before(async () => {
    modules = await linkModules(bundle, dataUrl);
  });

  describe("the rules behind chapter 4's refusals", () => {
    const refused = bundle.files
      .flatMap(({ parts }) => parts)
      .filter((part) => typeof part === "string")
      .flatMap((text) => [...text.matchAll(/new HttpError\(\s*(\d+),\s*"([^"]+)"/g)])
      .map(([, statusCode, message]) => ({ statusCode: Number(statusCode), message }));

    test("are there for each sentence that the parser refuses with", () => {
      const messages = refused.map(({ message }) => message);
      assert.ok(messages.length > 0);
      assert.deepEqual(
        messages.filter((message) => !Object.hasOwn(rules, message)),
        [],
        "sentences without a rule in assets/labs/refusals/rules.js",
      );
    });

    test("name limits that there are, and statuses by their names", () => {
      for (const { limit } of Object.values(rules)) {
        if (limit !== undefined) assert.ok(modules.limits.defaultLimits[limit] > 0, limit);
      }
      for (const { statusCode } of refused) {
        assert.equal(reasonPhrases[statusCode], STATUS_CODES[statusCode]);
      }
    });
  });

  describe("the attacks of the lab of refusals", () => {
    test("are refused, byte by byte as in one piece", () => {
      for (const { name, text } of refusals.examples) {
        const bytes = readCommand(text);
        const { refusal } = send(modules["request-parser"], bytes);
        const parser = new modules["request-parser"].RequestParser({ onRequest() {} });
        assert.throws(
          () => parser.push(bytes),
          ({ statusCode, message }) =>
            statusCode === refusal?.statusCode && message === refusal?.message,
          name,
        );
      }
    });

    test("are read as a shell and raw.js read them", () => {
      const read = (/** @type {string} */ text) => readCommand(text).toString("latin1");
      assert.equal(read("'GET / HT' 2s 'TP/1.1\\r\\n' '3*a' end"), "GET / HTTP/1.1\r\naaa");
      assert.equal(read("$ node raw.js 'GET /\\r\\n' | tail -n 3"), "GET /\r\n");
      assert.equal(read("GET / HTTP/1.1\\n"), "GET / HTTP/1.1\n");
      assert.equal(read("'a|b' 'c'"), "a|bc");
    });
  });

  describe("the lab of chapter 4", { skip }, () => {
    test("says with which status, at which byte and by which rule", async () => {
      await withLab(file, async (lab) => {
        await lab.getByLabel("An attack:").selectOption("an LF without a CR");
        assert.equal(
          await lab.getByRole("status").innerText(),
          "400 Bad Request: a line ends in CR and LF.",
        );
        const facts = await lab.locator("dd").allInnerTexts();
        assert.equal(facts[0], "byte 15 of 24");
        assert.match(facts[1], /^RFC 9112, section 2\.2: /);
        assert.equal(await lab.locator('[data-read="here"]').innerText(), "\\n");
        assert.equal(
          await lab.getByRole("link").getAttribute("href"),
          "https://www.rfc-editor.org/rfc/rfc9112.html#section-2.2",
        );
        await lab.getByLabel("An attack:").selectOption("a path without an end");
        assert.match(await lab.getByRole("status").innerText(), /^414 URI Too Long: /);
        assert.match(
          (await lab.locator("dd").allInnerTexts()).join("\n"),
          /\nrequestLineBytes is 8,192 bytes\.$/,
        );
      });
    });

    test("takes a reader's own bytes, and says what was not refused", async () => {
      await withLab(file, async (lab) => {
        await sendOwn(lab, "GET /a HTTP/1.1\\r\\nHost: x\\r\\n\\r\\nGET /b");
        assert.equal(
          await lab.getByRole("status").innerText(),
          "Nothing is refused: 1 request. The parser waits for the rest of another.",
        );
        assert.match(await lab.locator(".lab-requests li").innerText(), /"target":"\/a"/);
        await sendOwn(
          lab,
          "'POST / HTTP/1.1\\r\\nHost: x\\r\\n' 1s '3*Content-Length: 0\\r\\n' '\\r\\n'",
        );
        assert.match(await lab.getByRole("status").innerText(), /^400 Bad Request: /);
        await lab.getByRole("button", { name: "Start again" }).click();
        assert.equal(await lab.getByLabel(own).inputValue(), refusals.examples[0].text);
      });
    });

    test("works by keyboard alone", async () => {
      await withLab(file, async (lab, page) => {
        await lab.getByLabel("An attack:").focus();
        await page.keyboard.press("End");
        assert.match(await lab.getByRole("status").innerText(), /^505 /);
        await page.keyboard.press("Tab");
        await page.keyboard.press("Control+A");
        await page.keyboard.type("BREW / HTTP/1.1\\r\\n");
        await page.keyboard.press("Tab");
        await page.keyboard.press("Enter");
        assert.match(await lab.getByRole("status").innerText(), /^501 Not Implemented: /);
        assert.ok(page.url().endsWith(file));
      });
    });

    test("gives axe nothing to find while it is used", async () => {
      for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
        await withLab(
          file,
          async (lab, page) => {
            await findNothing(page);
            await sendOwn(lab, "GET /a HTTP/1.1\\r\\nHost: x\\r\\n\\r\\nGET /b");
            await findNothing(page);
            await sendOwn(lab, "'9000*\\xff'");
            await findNothing(page);
          },
          { colorScheme, viewport: { width: 360, height: 740 } },
        );
      }
    });
  });
}

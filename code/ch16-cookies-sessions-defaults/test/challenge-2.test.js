import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { start } from "../../contracts/defaults/visit.js";
import * as velocy from "../index.js";

const skip = process.env.CHALLENGE !== "2" && "challenge 2";
const ENFORCED = "content-security-policy";
const TOLD = "content-security-policy-report-only";

/** @param {import("node:test").TestContext} t @param {any} options */
async function open(t, options) {
  return start(t, velocy, (router) => {
    router.use(velocy.secureFields(options));
    router.get("/", () => "hello");
    router.get("/page", (_req, res) => velocy.nonceOf(res));
  });
}

describe("Challenges", { skip }, () => {
  it("only tells", async (t) => {
    const { get } = await open(t, { reportOnly: true });
    const { headers } = await get("/");
    assert.match(String(headers[TOLD]), /default-src 'self'/);
    assert.equal(headers[ENFORCED], undefined);
    assert.equal(headers["x-frame-options"], "DENY");
  });

  it("puts the nonce into the field that is sent", async (t) => {
    const { get } = await open(t, { reportOnly: true });
    const { headers, body } = await get("/page");
    assert.ok(
      String(headers[TOLD]).includes(`'nonce-${body}'`),
      "the nonce of the page is in the field",
    );
    assert.equal(headers[ENFORCED], undefined);
  });

  it("enforces unless told otherwise", async (t) => {
    for (const options of [{}, { reportOnly: false }]) {
      const { get } = await open(t, options);
      const { headers, body } = await get("/page");
      assert.ok(
        String(headers[ENFORCED]).includes(`'nonce-${body}'`),
        "the nonce of the page is in the field",
      );
      assert.equal(headers[TOLD], undefined);
    }
  });

  it("refuses what is neither true nor false", () => {
    const options = /** @type {any} */ ({ reportOnly: "yes" });
    assert.throws(() => velocy.secureFields(options), {
      code: "ERR_OPTION_INVALID",
    });
  });
});

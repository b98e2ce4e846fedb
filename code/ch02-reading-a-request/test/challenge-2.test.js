import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { JSDOM } from "jsdom";
import { Program } from "../../contracts/program.js";
import { ask } from "../../contracts/visitor.js";

const skip = process.env.CHALLENGE !== "2" && "challenge 2";

describe("Challenges", { skip }, () => {
  /** @type {Program} */
  let server;
  before(async () => {
    server = await Program.start(new URL("..", import.meta.url));
  });
  after(() => server?.close());

  it("shows a browser a table of its fields, one row each", async () => {
    const page = await browse("Accept-Language: de", "X-Empty:");
    assert.deepEqual(rowsOf(page, "host"), [["host", "x"]]);
    assert.deepEqual(rowsOf(page, "accept"), [["accept", BROWSER]]);
    assert.deepEqual(rowsOf(page, "accept-language"), [
      ["accept-language", "de"],
    ]);
    assert.deepEqual(rowsOf(page, "x-empty"), [["x-empty", ""]]);
  });

  it("gives everybody else JSON, as before", async () => {
    const accepts = ["*/*", "application/json", "text/plain", undefined];
    for (const accept of accepts) {
      const fields = { host: "x", ...(accept && { accept }) };
      const { type, text } = await get(
        ...Object.entries(fields).map(
          ([name, value]) => `${name}: ${value}`,
        ),
      );
      assert.equal(type, "application/json");
      assert.deepEqual(JSON.parse(text), {
        method: "GET",
        target: "/",
        version: "1.1",
        fields,
        body: "",
      });
    }
  });

  it("shows markup in a value as it was sent", async () => {
    const value = `<script>alert("1")</script> & <b>'bold'</b> &lt; &copy`;
    const page = await browse(`X: ${value}`);
    assert.deepEqual(rowsOf(page, "x"), [["x", value]]);
    assert.equal(page.querySelector("script"), null);
    assert.equal(page.querySelector("b"), null);
  });

  it("lets no value out of the place where it stands", async () => {
    const page = await browse(
      `A: " onclick="alert(1)`,
      `B: ' onclick='alert(1)`,
      `C: --></td></tr></table><img src=x onerror=alert(1)>`,
    );
    assert.equal(page.querySelector("[onclick], [onerror], img"), null);
  });

  it("shows both values of a field that is an array", async () => {
    const page = await browse("Set-Cookie: a=1", "Set-Cookie: b=<2>");
    const text = page.body.textContent ?? "";
    assert.match(text, /a=1/);
    assert.match(text, /b=<2>/);
  });

  /** @param {string[]} fields beside those of a browser */
  async function browse(...fields) {
    const { type, text } = await get(
      "Host: x",
      `Accept: ${BROWSER}`,
      ...fields,
    );
    assert.match(type ?? "", /^text\/html\b/i);
    return new JSDOM(text).window.document;
  }

  /** @param {string[]} fields */
  async function get(...fields) {
    const lines = ["GET / HTTP/1.1", ...fields, "", ""];
    const response = await ask(server, lines.join("\r\n"));
    assert.equal(response.status, 200);
    return {
      type: response.fields.get("content-type")?.[0],
      text: response.body.toString(),
    };
  }
});

/** What a browser accepts, in short. */
const BROWSER = "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8";

/**
 * @param {Document} page
 * @param {string} name of a field
 * @returns {string[][]} the rows that begin with it: their cells' texts
 */
function rowsOf(page, name) {
  return [...page.querySelectorAll("table tr")]
    .map((row) =>
      [...row.querySelectorAll("th, td")].map(({ textContent }) =>
        (textContent ?? "").trim(),
      ),
    )
    .filter(([first]) => first?.toLowerCase() === name)
    .map(([first, ...others]) => [first.toLowerCase(), ...others]);
}

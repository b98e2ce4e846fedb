import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { Program } from "../../contracts/program.js";
import { ask } from "../../contracts/visitor.js";

const skip = process.env.CHALLENGE !== "1" && "challenge 1";

describe("Challenges", { skip }, () => {
  /** @type {Program} */
  let server;
  before(async () => {
    server = await Program.start(new URL("..", import.meta.url));
  });
  after(() => server?.close());

  it("tells the path from the query", async () => {
    const target = "/greet?name=Zo%C3%AB&lang=de&lang=en";
    const { path, query } = await describeTarget(target);
    assert.equal(path, "/greet");
    assert.deepEqual(query, { name: "Zoë", lang: ["de", "en"] });
  });

  it("goes on describing all that it did before", async () => {
    const description = await describeTarget("/greet?name=Zo%C3%AB");
    const { method, target, version, fields, body } = description;
    assert.deepEqual(
      { method, target, version, fields, body },
      {
        method: "GET",
        target: "/greet?name=Zo%C3%AB",
        version: "1.1",
        fields: { host: "x" },
        body: "",
      },
    );
  });

  it("has an empty query for a target without a question mark", async () => {
    const { path, query } = await describeTarget("/greet");
    assert.equal(path, "/greet");
    assert.deepEqual(query, {});
  });

  it("leaves the path as it was sent", async () => {
    for (const sent of ["/Zo%C3%AB", "/a/../b", "//x/y", "/a+b"]) {
      const { path } = await describeTarget(`${sent}?a=1`);
      assert.equal(path, sent);
    }
  });

  it("makes an array only of a key that comes more often", async () => {
    const { query } = await describeTarget("/?a=1&b=2&a=3&a=4&c=");
    assert.deepEqual(query, { a: ["1", "3", "4"], b: "2", c: "" });
  });

  it("parts the target at its first question mark", async () => {
    const { path, query } = await describeTarget("/a?why=who?&b=/c");
    assert.equal(path, "/a");
    assert.deepEqual(query, { why: "who?", b: "/c" });
  });

  it("takes __proto__ for a key like any other", async () => {
    const once = await describeTarget("/?__proto__=x");
    assert.deepEqual(Object.entries(once.query), [["__proto__", "x"]]);
    const twice = await describeTarget("/?__proto__=x&__proto__=y");
    assert.deepEqual(Object.entries(twice.query), [
      ["__proto__", ["x", "y"]],
    ]);
  });

  it("finds nothing in the query that wasn't sent", async () => {
    const { query } = await describeTarget("/?constructor=x&toString=y");
    assert.deepEqual(Object.entries(query), [
      ["constructor", "x"],
      ["toString", "y"],
    ]);
  });

  it("lives on after a query that can't be decoded", async () => {
    await ask(server, "GET /?a=%zz&b=%ff HTTP/1.1\r\nHost: x\r\n\r\n");
    const { path } = await describeTarget("/after");
    assert.equal(path, "/after");
  });

  /** @param {string} target */
  async function describeTarget(target) {
    const request = `GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`;
    const { status, body } = await ask(server, request);
    assert.equal(status, 200);
    return JSON.parse(body.toString());
  }
});

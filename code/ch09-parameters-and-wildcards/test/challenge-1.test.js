import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Router } from "../index.js";

const skip = process.env.CHALLENGE !== "1" && "challenge 1";

const handler = () => {};

const PATTERNS = [
  "/files/:name",
  "/files/:name.json",
  "/files/:base.min.json",
  "/files/:what-draft",
  "/files/index.json",
  "/files/:name.json/lines/:line",
  "/dirs/:dir/:file.txt",
  "/dirs/*rest",
];

describe("Challenges", { skip }, () => {
  /** @type {[path: string, pattern: string | null, params?: {}][]} */
  const found = [
    ["/files/a.json", "/files/:name.json", { name: "a" }],
    ["/files/a.b.json", "/files/:name.json", { name: "a.b" }],
    ["/files/a.json.json", "/files/:name.json", { name: "a.json" }],
    ["/files/a.min.json", "/files/:base.min.json", { base: "a" }],
    ["/files/.min.json", "/files/:name.json", { name: ".min" }],
    ["/files/a-draft", "/files/:what-draft", { what: "a" }],
    ["/files/a-b-draft", "/files/:what-draft", { what: "a-b" }],
    ["/files/.json", "/files/:name", { name: ".json" }],
    ["/files/-draft", "/files/:name", { name: "-draft" }],
    ["/files/a.xml", "/files/:name", { name: "a.xml" }],
    ["/files/a.jsonx", "/files/:name", { name: "a.jsonx" }],
    ["/files/ajson", "/files/:name", { name: "ajson" }],
    ["/files/index.json", "/files/index.json", {}],
    ["/files/indexes.json", "/files/:name.json", { name: "indexes" }],
    [
      "/files/a.json/lines/7",
      "/files/:name.json/lines/:line",
      { name: "a", line: "7" },
    ],
    [
      "/files/a.min.json/lines/7",
      "/files/:name.json/lines/:line",
      { name: "a.min", line: "7" },
    ],
    ["/files/a/lines/7", null],
    ["/files/", null],
    ["/dirs/x/a.txt", "/dirs/:dir/:file.txt", { dir: "x", file: "a" }],
    ["/dirs/x/.txt", "/dirs/*rest", { rest: "x/.txt" }],
    ["/dirs/x/a.txt/b", "/dirs/*rest", { rest: "x/a.txt/b" }],
  ];
  for (const order of [PATTERNS, PATTERNS.toReversed()]) {
    const which = order === PATTERNS ? "" : ", added the other way round";
    for (const [path, pattern, params] of found) {
      it(`finds ${pattern ?? "nothing"} for ${path}${which}`, () => {
        const router = grow(order);
        const match = router.find("GET", path);
        const told = router.explain("GET", path);
        assert.equal(told.route?.pattern ?? null, pattern);
        assert.deepEqual(match && { ...match.params }, params ?? null);
        if (told.params) assert.deepEqual({ ...told.params }, params);
      });
    }
  }

  it("prints the text behind a parameter", () => {
    const printed = String(grow(PATTERNS));
    for (const label of [":name.json", ":base.min.json", ":what-draft"]) {
      assert.ok(printed.includes(label), printed);
    }
  });

  it("conflicts with the same text behind another name", () => {
    const router = grow(PATTERNS);
    assert.throws(() => router.get("/files/:other.json", handler), {
      code: "ERR_ROUTE_CONFLICT",
    });
    router.get("/files/:other.xml", handler);
    router.post("/files/:other.json", handler);
  });

  it("refuses two parameters in a segment, and other beginnings", () => {
    for (const pattern of ["/:a-:b", "/:a.:b", "/:a~b", "/:a(x)", "/:.b"]) {
      assert.throws(() => new Router().get(pattern, handler), {
        code: "ERR_PARAMETER_INVALID",
      });
    }
  });
});

/** @param {string[]} patterns */
function grow(patterns) {
  const router = new Router();
  for (const pattern of patterns) router.get(pattern, handler);
  return router;
}

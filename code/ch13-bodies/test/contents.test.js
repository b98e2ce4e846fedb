import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { describe, it } from "node:test";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { post, testBodies } from "../../contracts/bodies/index.js";
import { listen } from "../../contracts/router/ask.js";
import * as velocy from "../index.js";
import { parseJson } from "../lib/request/json.js";
import { unpack } from "../lib/request/unpack.js";

const { createServer, Router } = velocy;

describe("JSON from strangers", () => {
  testBodies(velocy, "json");

  it("says what is wrong to who asks for JSON", async (t) => {
    const router = new Router().post("/", (req) => req.json());
    const port = await listen(t, createServer(router));
    const fields = {
      accept: "application/json",
      "content-type": "application/json",
    };
    const { headers, body } = await post(port, "/", fields, "{");
    assert.equal(headers["content-type"], "application/problem+json");
    assert.equal(JSON.parse(body).detail, "the body isn't JSON");
  });

  it("pollutes no prototype", () => {
    for (const text of [
      '{"__proto__":{"isAdmin":true}}',
      '{"a":[{"\\u005f\\u005fproto\\u005f\\u005f":{"isAdmin":true}}]}',
      '{"constructor":{"prototype":{"isAdmin":true}}}',
    ]) {
      assert.throws(() => parseJson(text), { statusCode: 400 });
    }
  });
});

describe("What fits", () => {
  testBodies(velocy, "schema");

  it("names the place of each mistake", async (t) => {
    const issues = [
      { message: "no", path: ["a", 0, { key: "b/c~d" }] },
      { message: "nothing at all" },
      { message: "é", path: ["é"] },
      { message: "half a pair", path: ["\ud800"] },
    ];
    const body = schemaWith(() => ({ issues }));
    const router = new Router().post("/", { body }, () => "never");
    const port = await listen(t, createServer(router));
    const fields = {
      accept: "application/json",
      "content-type": "application/json",
    };
    const response = await post(port, "/", fields, "{}");
    assert.equal(response.statusCode, 422);
    assert.deepEqual(JSON.parse(response.body).errors, [
      { pointer: "#/a/0/b~1c~0d", message: "no" },
      { pointer: "#", message: "nothing at all" },
      { pointer: "#/%C3%A9", message: "é" },
      { pointer: "#/%EF%BF%BD", message: "half a pair" },
    ]);
  });

  it("names a hundred mistakes and no more", async (t) => {
    const issues = Array.from({ length: 5_000 }, () => ({ message: "no" }));
    const body = schemaWith(() => ({ issues }));
    const router = new Router().post("/", { body }, () => "never");
    const port = await listen(t, createServer(router));
    const fields = { "content-type": "application/json" };
    const response = await post(port, "/", fields, "{}");
    assert.equal(response.body.split("\n").length, 101);
  });

  it("sends back little of a long key and a long message", async (t) => {
    const issues = [
      { message: "m".repeat(5_000), path: ["a", "k".repeat(5_000), "b"] },
      { message: "full", path: ["x".repeat(198)] },
      { message: "é", path: ["é".repeat(40)] },
    ];
    const body = schemaWith(() => ({ issues }));
    const router = new Router().post("/", { body }, () => "never");
    const port = await listen(t, createServer(router));
    const fields = { "content-type": "application/json" };
    const response = await post(port, "/", fields, "{}");
    assert.deepEqual(response.body.trim().split("\n"), [
      `#/a: ${"m".repeat(1_000)}`,
      `#/${"x".repeat(198)}: full`,
      "#: é",
    ]);
  });

  it("is asked behind the guards", async (t) => {
    let asked = 0;
    const body = schemaWith((value) => {
      asked += 1;
      return { value };
    });
    const router = new Router();
    router.use((_req, res) => res.status(401).text("no"));
    router.post("/", { body }, () => "never");
    const port = await listen(t, createServer(router));
    const fields = { "content-type": "application/json" };
    assert.equal((await post(port, "/", fields, "1")).statusCode, 401);
    assert.equal(asked, 0);
  });

  it("fails as a handler does if it throws", async (t) => {
    /** @type {any[]} */
    const told = [];
    const body = schemaWith(() => {
      throw new Error("a broken schema");
    });
    const router = new Router().post("/", { body }, () => "never");
    const server = createServer(router, {
      onError: (err) => told.push(err),
    });
    const port = await listen(t, server);
    const fields = { "content-type": "application/json" };
    assert.equal((await post(port, "/", fields, "1")).statusCode, 500);
    assert.equal(told.pop().message, "a broken schema");
  });

  for (const body of [true, {}, { "~standard": {} }, { validate() {} }]) {
    it(`is no ${JSON.stringify(body)}`, () => {
      const options = /** @type {any} */ ({ body });
      const add = () => new Router().post("/", options, () => {});
      assert.throws(add, { code: "ERR_OPTION_INVALID" });
    });
  }
});

describe("A small file that is large", () => {
  testBodies(velocy, "codings");

  it("says what may be sent", async (t) => {
    const router = new Router();
    router.post("/plain", (req) => req.text());
    router.post("/packed", { decompress: true }, (req) => req.text());
    const port = await listen(t, createServer(router));
    const fields = { "content-encoding": "foo" };
    const plain = await post(port, "/plain", fields, "a");
    assert.equal(plain.headers["accept-encoding"], "identity");
    const packed = await post(port, "/packed", fields, "a");
    const accepted = packed.headers["accept-encoding"] ?? "";
    assert.match(String(accepted), /^gzip, x-gzip, deflate, br(, zstd)?$/);
  });

  it("isn't taken by who is refused", async (t) => {
    const router = new Router().post("/", async (req) => {
      /** @type {number[]} */
      const statuses = [];
      const refused = (/** @type {any} */ err) =>
        statuses.push(err.statusCode);
      await req.text().catch(refused);
      await req.text().catch(refused);
      return statuses;
    });
    const port = await listen(t, createServer(router));
    const fields = { "content-encoding": "gzip" };
    assert.equal((await post(port, "/", fields, "a")).body, "[415,415]");
  });

  it("unpacks no more than it may", async (t) => {
    let most = 0;
    const options = { decompress: true, bodyBytes: 1_000_000 };
    const router = new Router().post("/", options, async (req) => {
      const parts = req.parts();
      for await (const part of parts) {
        for await (const piece of part) most += piece.length;
      }
    });
    const port = await listen(t, createServer(router));
    const fields = {
      "content-encoding": "gzip",
      "content-type": "multipart/form-data; boundary=B",
    };
    const head = "--B\r\nContent-Disposition: form-data; name=a\r\n\r\n";
    const bomb = gzipSync(head + "a".repeat(50_000_000));
    assert.equal((await post(port, "/", fields, bomb)).statusCode, 413);
    assert.ok(most <= 1_000_000, `${most} bytes came out`);
  });

  it("has nothing behind it, also if that comes late", async () => {
    for (const [coding, packed] of /** @type {[string, Buffer][]} */ ([
      ["deflate", deflateSync("milk")],
      ["br", brotliCompressSync("milk")],
    ])) {
      const source = Readable.from(
        (async function* () {
          yield packed;
          await new Promise((resolve) => setTimeout(resolve, 50));
          yield Buffer.from("more");
        })(),
      );
      const read = async () => {
        for await (const piece of unpack(source, coding, 100)) piece.at(0);
      };
      await assert.rejects(read(), { statusCode: 400 }, coding);
    }
  });

  it("is read to its end, also behind the last part", async (t) => {
    const options = { decompress: true };
    const router = new Router().post("/", options, async (req) => {
      for await (const part of req.parts()) await part.text();
      return "read";
    });
    const port = await listen(t, createServer(router));
    const fields = {
      "content-encoding": "gzip",
      "content-type": "multipart/form-data; boundary=B",
    };
    const head = "--B\r\nContent-Disposition: form-data; name=a\r\n\r\n";
    const packed = gzipSync(`${head}milk\r\n--B--`);
    assert.equal((await post(port, "/", fields, packed)).body, "read");
    const cut = packed.subarray(0, -1);
    assert.equal((await post(port, "/", fields, cut)).statusCode, 400);
  });

  it("has a switch, and no other", () => {
    const options = /** @type {any} */ ({ decompress: "gzip" });
    const add = () => new Router().post("/", options, () => {});
    assert.throws(add, { code: "ERR_OPTION_INVALID" });
  });
});

/** @param {(value: unknown) => any} validate */
function schemaWith(validate) {
  const version = /** @type {const} */ (1);
  return { "~standard": { version, vendor: "by hand", validate } };
}

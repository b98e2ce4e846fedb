import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, it } from "node:test";
import { gzipSync } from "node:zlib";
import { post } from "../../contracts/bodies/index.js";
import { listen } from "../../contracts/router/ask.js";
import { createServer, Router } from "../index.js";

const skip = process.env.CHALLENGE !== "1" && "challenge 1";

/** @param {string | Buffer} body */
function digestOf(body) {
  return createHash("sha256").update(body).digest("base64");
}

describe("Challenges", { skip }, () => {
  const body = '{"milk":2}';
  const packed = gzipSync(body);
  const right = `sha-256=:${digestOf(body)}:`;
  const wrong = `sha-256=:${digestOf("other")}:`;
  const json = { "content-type": "application/json" };

  /** @type {[what: string, fields: Record<string, string>, body: string | Buffer, statusCode: number][]} */
  const cases = [
    ["the digest", { "content-digest": right }, body, 200],
    ["another digest", { "content-digest": wrong }, body, 400],
    [
      "one that is cut off",
      { "content-digest": right.slice(0, 20) + ":" },
      body,
      400,
    ],
    [
      "a list of digests",
      { "content-digest": `md5=:AA==:, ${right}` },
      body,
      200,
    ],
    [
      "a list with another",
      { "content-digest": `md5=:AA==:, ${wrong}` },
      body,
      400,
    ],
    ["another algorithm", { "content-digest": "md5=:AA==:" }, body, 200],
    ["no digest", {}, body, 200],
    [
      "the digest of what was packed",
      {
        "content-encoding": "gzip",
        "content-digest": `sha-256=:${digestOf(packed)}:`,
      },
      packed,
      200,
    ],
    [
      "the digest of what comes out",
      { "content-encoding": "gzip", "content-digest": right },
      packed,
      400,
    ],
  ];
  for (const [what, fields, content, statusCode] of cases) {
    it(`answers ${what} with ${statusCode}`, async (t) => {
      const router = new Router();
      router.use(async (_req, _res, next) => {
        await new Promise((resolve) => setTimeout(resolve, 20));
        return next();
      });
      router.post("/", { decompress: true }, (req) => req.json());
      const port = await listen(t, createServer(router));
      for (const more of [{}, { "transfer-encoding": "chunked" }]) {
        const all = { ...json, ...fields, ...more };
        const response = await post(port, "/", all, content);
        assert.equal(response.statusCode, statusCode);
        if (statusCode === 200) assert.equal(response.body, body);
      }
    });
  }
});

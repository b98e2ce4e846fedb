import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  exchange,
  httpContract,
  parserProperties,
  slowReaders,
  splitAnywhere,
  startProgram,
  startServer,
} from "../../contracts/http/index.js";
import { describeRequest } from "../lib/describe-request.js";
import { defaultLimits } from "../lib/limits.js";
import { RequestParser } from "../lib/request-parser.js";
import { createServer } from "../lib/server.js";

const start = startServer((options) =>
  createServer(describeRequest, options),
);
const contract = httpContract({
  start,
  until: 4,
});
const GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

describe("A pattern that goes back", () => {
  it("reads a hundred thousand spaces in no time", () => {
    const limits = { ...defaultLimits, fieldSectionBytes: 1_000_000 };
    /** @type {string[]} */
    const values = [];
    const parser = new RequestParser({
      limits,
      onRequest: ({ fields }) => values.push(String(fields.x)),
    });
    const value = `a${" ".repeat(100_000)}b`;
    const before = performance.now();
    parser.push(
      Buffer.from(`GET / HTTP/1.1\r\nHost: a\r\nX: ${value}\r\n\r\n`),
    );
    const took = performance.now() - before;
    assert.deepEqual(values, [value]);
    // The pattern that goes back takes seconds.
    assert.ok(took < 500, `took ${took} ms`);
  });
});

describe("How much is too much?", () => {
  contract.check({
    group: "limits",
    name: /request line (of|that has|beyond)|field|head that never|anew/,
  });

  /** @type {[string, Record<string, unknown>][]} */
  const wrong = [
    ["a name that is no limit", { headTimout: 1000 }],
    ["a limit of 0", { bodyBytes: 0 }],
    ["a negative limit", { fieldCount: -1 }],
    ["a limit that is no number", { idleTimeout: "5s" }],
    ["NaN", { headTimeout: Number.NaN }],
  ];
  for (const [what, limits] of wrong) {
    it(`does not make a server with ${what}`, () => {
      assert.throws(
        () => createServer(describeRequest, { limits }),
        new RegExp(Object.keys(limits)[0]),
      );
    });
  }
});

describe("A body of a terabyte, a byte at a time", () => {
  contract.check({ group: "limits", status: [413, 431] });
  contract.check({ group: "limits", name: /^takes (a body|chunks)/ });
});

describe("Somebody with all the time in the world", () => {
  contract.check({ group: "limits" });
  contract.check({ group: "keep-alive" });
});

describe("Somebody who never reads", () => {
  slowReaders(start);
});

describe("Two servers, two opinions", () => {
  contract.check({ group: "framing" });
  contract.check({ group: "chunked" });
  contract.check({ group: "errors close" });
});

describe("What a request must have, and what it may ask for", () => {
  contract.check({ group: "methods and versions" });
  contract.check({ group: "targets" });
  contract.check({ group: "expect" });
});

describe("What we have", () => {
  contract.checkTheRest();
  contract.checkByteByByte();
  splitAnywhere(RequestParser, { until: 4 });
  parserProperties(RequestParser);

  it("answers 500 when the handler throws, and serves the next", async (t) => {
    const server = await startServer((options) =>
      createServer((request) => {
        if (request.target === "/") throw new Error("secret");
        return describeRequest(request);
      }, options),
    )({ limits: {} });
    t.after(() => server.close());
    const failed = await exchange(server, GET);
    assert.equal(failed.responses[0].status, 500);
    assert.doesNotMatch(failed.responses[0].body.toString(), /secret/);
    const next = await exchange(server, GET.replace("/ ", "/x "), {
      responses: 1,
    });
    assert.equal(next.responses[0].status, 200);
  });

  it("runs as a program", async (t) => {
    const server = await startProgram(new URL("..", import.meta.url))({
      limits: {},
    });
    t.after(() => server.close());
    const { responses } = await exchange(server, GET, { responses: 1 });
    assert.equal(JSON.parse(responses[0].body.toString()).target, "/");
  });
});

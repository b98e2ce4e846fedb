import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { RequestParser } from "../lib/request-parser.js";

const skip = process.env.CHALLENGE !== "2" && "challenge 2";

const MESSAGE = Buffer.from(
  "POST /length HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nZoë" +
    "PUT /chunks HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n" +
    "4;a=b\r\nZoë\r\nB\r\n and Ada 1!\r\n0\r\nChecksum: no\r\n\r\n" +
    "GET /nothing HTTP/1.1\r\nHost: x\r\n\r\n",
);
const BODIES = { "/length": "Zoë", "/chunks": "Zoë and Ada 1!" };

describe("Challenges", { skip }, () => {
  it("hands on each piece of a body at once", () => {
    const { parser, bodies, requests } = parserWithOnBody();
    parser.push(requestOf("/a", "Content-Length: 10", "hello"));
    assert.equal(String(bodies["/a"]), "hello");
    parser.push(Buffer.from("worl"));
    assert.equal(String(bodies["/a"]), "helloworl");
    assert.equal(requests.length, 0);
    parser.push(Buffer.from("d"));
    assert.equal(String(bodies["/a"]), "helloworld");
    assert.equal(requests.length, 1);
  });

  it("hands on a body in chunks at once, without their sizes", () => {
    const { parser, bodies, requests } = parserWithOnBody();
    parser.push(
      requestOf("/a", "Transfer-Encoding: chunked", "A\r\nhello"),
    );
    assert.equal(String(bodies["/a"]), "hello");
    parser.push(Buffer.from("world\r\n5\r\n, y"));
    assert.equal(String(bodies["/a"]), "helloworld, y");
    assert.equal(requests.length, 0);
    parser.push(Buffer.from("ou\r\n0\r\n\r\n"));
    assert.equal(String(bodies["/a"]), "helloworld, you");
    assert.equal(requests.length, 1);
  });

  it("hands on the same bytes wherever the request is cut", () => {
    for (let cut = 1; cut < MESSAGE.length; cut++) {
      const { parser, bodies } = parserWithOnBody();
      parser.push(MESSAGE.subarray(0, cut));
      parser.push(MESSAGE.subarray(cut));
      const texts = Object.entries(bodies).map(([target, body]) => [
        target,
        String(body),
      ]);
      assert.deepEqual(
        Object.fromEntries(texts),
        BODIES,
        `cut after byte ${cut}`,
      );
    }
  });

  it("keeps nothing of what it has handed on", () => {
    const { parser, requests } = parserWithOnBody();
    parser.push(MESSAGE);
    assert.deepEqual(
      requests.map(({ target, body }) => [target, String(body)]),
      [
        ["/length", ""],
        ["/chunks", ""],
        ["/nothing", ""],
      ],
    );
  });

  it("keeps the body for the request when it has no onBody", () => {
    const requests = [];
    const parser = new RequestParser({
      onRequest: (request) => requests.push(request),
    });
    for (const byte of MESSAGE) parser.push(Buffer.from([byte]));
    assert.deepEqual(
      requests.map(({ target, body }) => [target, String(body)]),
      [...Object.entries(BODIES), ["/nothing", ""]],
    );
  });
});

/** A parser, the bodies that it hands on by target, and its requests. */
function parserWithOnBody() {
  const requests = [];
  /** @type {Record<string, Buffer>} */
  const bodies = {};
  const options = {
    onRequest: (request) => requests.push(request),
    onBody: ({ target }, piece) => {
      const earlier = bodies[target] ?? Buffer.alloc(0);
      bodies[target] = Buffer.concat([earlier, piece]);
    },
  };
  return { parser: new RequestParser(options), bodies, requests };
}

/**
 * @param {string} target
 * @param {string} framing a field line
 * @param {string} body what there is of it
 */
function requestOf(target, framing, body) {
  const head = `POST ${target} HTTP/1.1\r\nHost: x\r\n${framing}\r\n\r\n`;
  return Buffer.from(head + body);
}

import assert from "node:assert/strict";
import { it } from "node:test";
import { inspect } from "node:util";
import { exchange } from "./exchange.js";
import { startServer } from "./start.js";

/**
 * @typedef {object} Answer what a handler gives back
 * @property {number} statusCode
 * @property {Record<string, string>} fields
 * @property {string} body
 *
 * @typedef {(handler: (request: any) => Answer) =>
 *   import("node:net").Server} CreateServer
 */

const OK = { statusCode: 200, fields: {}, body: "ok\n" };
const NEXT = "GET /next HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";

/** What no field may have (RFC 9110, sections 5.1 and 5.5). */
const BAD_FIELDS = {
  "a line break in a value": { location: "/\r\nset-cookie: a=1" },
  "a bare LF in a value": { location: "/\nset-cookie: a=1" },
  "a bare CR in a value": { location: "/\rset-cookie: a=1" },
  "a NUL in a value": { location: "/\0" },
  "a letter beyond a byte in a value": { location: "/\u{10d}\u{10a}a: 1" },
  "a line break in a name": { "a: 1\r\nset-cookie": "a=1" },
  "a space in a name": { "set cookie": "a=1" },
  "another field in a name": { "set-cookie: a=1; b": "c" },
  "a length in a name": { "content-length: 7": "" },
  "no name at all": { "": "a=1" },
};

/** What only the server can know, or a client would not find the end. */
const OWN_FIELDS = {
  "the length": { "content-length": "3" },
  "a wrong length": { "Content-Length": "1" },
  "a transfer coding": { "Transfer-Encoding": "chunked" },
  "the connection": { Connection: "close" },
  "the date": { date: "Fri, 20 Nov 2026 09:41:33 GMT" },
};

const THROWN = {
  "an Error": new Error("a bug"),
  "a string": "a bug",
  nothing: undefined,
  "an object that has no toString": Object.create(null),
  "an object that throws when it is looked at": {
    get [Symbol.toStringTag]() {
      throw new Error("don't");
    },
    [inspect.custom]() {
      throw new Error("don't");
    },
  },
  "an Error whose name throws": Object.defineProperty(
    new Error("a bug"),
    "name",
    {
      get() {
        throw new Error("don't");
      },
    },
  ),
  "a proxy that is revoked": revokedProxy(),
};

/** What can't be a status (RFC 9110, section 15). */
const BAD_STATUSES = {
  "a line break in the status": "200 OK\r\nset-cookie: a=1",
  "a status that is a text": "200",
  "a status with a fraction": 200.5,
  "the status of an interim response": 100,
  "a status beyond 599": 600,
  "no status": undefined,
};

/** What `head + body` would make a text of, with another length. */
const BAD_BODIES = {
  "a Buffer that is not UTF-8": Buffer.from([0xff, 0xfe, 0x41]),
  "a Uint8Array": Uint8Array.of(65, 66, 67),
  "an array": ["ok"],
  "a number": 7,
  "no body": undefined,
};

/**
 * What a server makes of a handler's answers: whatever the handler says, a
 * client must find the end of a response where it is.
 *
 * @param {CreateServer} createServer
 */
export function answers(createServer) {
  for (const statusCode of [204, 304]) {
    for (const method of ["GET", "HEAD"]) {
      const what = `${statusCode} to ${method}`;
      it(`sends no content with a ${what} (RFC 9110, section 6.4.1)`, async (t) => {
        const answer = { statusCode, fields: {}, body: "gone\n" };
        const [first, second] = await ask(t, createServer, answer, method);
        assert.equal(first.status, statusCode);
        assert.equal(first.fields.get("content-length"), undefined);
        assert.equal(second.body.toString(), "ok\n");
      });
    }
  }

  for (const method of ["GET", "HEAD"]) {
    it(`sends a length of 0 with a 205 to ${method} (RFC 9110, section 15.3.6)`, async (t) => {
      const answer = { statusCode: 205, fields: {}, body: "gone\n" };
      const [first, second] = await ask(t, createServer, answer, method);
      assert.equal(first.status, 205);
      assert.deepEqual(first.fields.get("content-length"), ["0"]);
      assert.equal(second.body.toString(), "ok\n");
    });
  }

  for (const [what, statusCode] of Object.entries(BAD_STATUSES)) {
    it(`answers 500 for ${what} (RFC 9112, section 4)`, async (t) => {
      const answer = /** @type {Answer} */ ({ ...OK, statusCode });
      const [response] = await ask(t, createServer, answer, "GET");
      assert.equal(response.status, 500);
      assert.equal(response.fields.get("set-cookie"), undefined);
    });
  }

  for (const [what, body] of Object.entries(BAD_BODIES)) {
    it(`answers 500 for a body that is ${what}`, async (t) => {
      const answer = /** @type {Answer} */ (
        /** @type {unknown} */ ({ ...OK, body })
      );
      const [first, second] = await ask(t, createServer, answer, "GET");
      assert.equal(first.status, 500);
      assert.equal(second, undefined);
    });
  }

  it("sends a status that has no phrase (RFC 9112, section 4)", async (t) => {
    const answer = { ...OK, statusCode: 299 };
    const [response] = await ask(t, createServer, answer, "GET");
    assert.equal(response.status, 299);
    assert.equal(response.reason, "");
  });

  for (const [what, fields] of Object.entries(OWN_FIELDS)) {
    it(`writes its own for ${what} of a handler (RFC 9112, section 6)`, async (t) => {
      const [first, second] = await ask(
        t,
        createServer,
        { ...OK, fields },
        "GET",
      );
      assert.deepEqual(first.fields.get("content-length"), ["3"]);
      assert.deepEqual(first.fields.get("connection"), ["keep-alive"]);
      assert.equal(first.fields.get("transfer-encoding"), undefined);
      assert.equal(first.fields.get("date")?.length, 1);
      assert.equal(second.body.toString(), "ok\n");
    });
  }

  for (const [what, thrown] of Object.entries(THROWN)) {
    for (const method of ["GET", "HEAD"]) {
      it(`answers ${method} with 500 when a handler throws ${what}`, async (t) => {
        const server = await startServer(() =>
          createServer(() => {
            throw thrown;
          }),
        )({ limits: {} });
        t.after(() => server.close());
        const request = `${method} / HTTP/1.1\r\nHost: a\r\n\r\n`;
        for (let time = 0; time < 2; time++) {
          const { responses } = await exchange(server, request, {
            answersHead: () => method === "HEAD",
          });
          assert.equal(responses[0].status, 500);
        }
      });
    }
  }

  for (const [what, fields] of Object.entries(BAD_FIELDS)) {
    it(`answers 500 for ${what} (RFC 9110, section 5.5)`, async (t) => {
      const answer = { statusCode: 200, fields, body: "" };
      const [response] = await ask(t, createServer, answer, "GET");
      assert.equal(response.status, 500);
      assert.equal(response.fields.get("set-cookie"), undefined);
      assert.equal(response.fields.get("location"), undefined);
    });
  }

  it("takes a tab and bytes from 80 up in a value (RFC 9110, section 5.5)", async (t) => {
    const fields = { "x-a": "caf\xe9\tb" };
    const [response] = await ask(t, createServer, { ...OK, fields }, "GET");
    assert.equal(response.status, 200);
  });
}

function revokedProxy() {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

/**
 * Asks for an answer, and for another behind it in the same segment.
 *
 * @param {import("node:test").TestContext} t
 * @param {CreateServer} createServer
 * @param {Answer} answer
 * @param {string} method
 */
async function ask(t, createServer, answer, method) {
  const server = await startServer(() =>
    createServer(({ target }) => (target === "/next" ? OK : answer)),
  )({ limits: {} });
  t.after(() => server.close());
  const first = `${method} / HTTP/1.1\r\nHost: a\r\n\r\n`;
  const { responses } = await exchange(server, first + NEXT);
  return responses;
}

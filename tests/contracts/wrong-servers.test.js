import assert from "node:assert/strict";
import { createServer } from "node:net";
import { describe, it } from "node:test";
import {
  get,
  head,
  post,
  refused,
  rfc9112,
  served,
  servedThenClosed,
} from "../../code/contracts/http/cases/building-blocks.js";
import { findFaults, observe, runCase } from "../../code/contracts/http/run-case.js";
import { startServer } from "../../code/contracts/http/start.js";

/**
 * A server that follows a script: for each empty line that it reads it does
 * what comes next. It answers the runner's own probe rightly, unless told.
 *
 * @param {((socket: import("node:net").Socket) => void)[]} script
 * @param {{ answersProbe?: boolean }} [options]
 */
function scripted(script, { answersProbe = true } = {}) {
  return startServer(() =>
    createServer({ allowHalfOpen: true }, (socket) => {
      const left = [...script];
      let seen = "";
      socket.on("error", () => {});
      socket.on("data", (bytes) => {
        seen += bytes.toString("latin1");
        const heads = seen.split("\r\n\r\n");
        seen = heads.pop() ?? "";
        for (const text of heads) {
          if (text.includes("/still-open")) {
            if (answersProbe) socket.write(ok({ target: "/still-open" }));
          } else {
            left.shift()?.(socket);
          }
        }
      });
      socket.on("end", () => socket.end());
    }),
  );
}

const REQUEST = {
  method: "GET",
  target: "/",
  version: "1.1",
  fields: { host: "a" },
  body: "",
};

/**
 * A response that is right, but for what is changed.
 *
 * @param {Record<string, unknown>} [json]
 * @param {Record<string, string | number | undefined>} [fields]
 */
function ok(json, fields) {
  const body = JSON.stringify({ ...REQUEST, ...json });
  return response("200 OK", body, {
    "content-type": "application/json",
    ...fields,
  });
}

/**
 * @param {string} status
 * @param {string} body
 * @param {Record<string, string | number | undefined>} [fields]
 */
function response(status, body, fields = {}) {
  const all = {
    date: new Date().toUTCString(),
    "content-length": Buffer.byteLength(body),
    ...fields,
  };
  const lines = Object.entries(all)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}: ${value}`);
  return `${head(`HTTP/1.1 ${status}`, ...lines)}${body}`;
}

const BAD = response("400 Bad Request", "no\n", { connection: "close" });

/** @param {string} bytes */
const says = (bytes) => (/** @type {import("node:net").Socket} */ socket) =>
  void socket.write(bytes);
/** @param {string} bytes */
const ends = (bytes) => (/** @type {import("node:net").Socket} */ socket) => void socket.end(bytes);

/** @type {{ name: string, section: string, since: 2 }} */
const basics = { name: "a case", section: rfc9112("6.3"), since: 2 };
/** @typedef {import("../../code/contracts/http/cases/building-blocks.js").Case} Case */
/** @type {Record<string, Case>} */
const theCase = {
  get: { ...basics, send: [get("/")], ...served({ target: "/" }) },
  two: {
    ...basics,
    send: [get("/1") + get("/2")],
    ...served({ target: "/1" }, { target: "/2" }),
  },
  head: {
    ...basics,
    send: [head("HEAD / HTTP/1.1", "Host: a")],
    expect: [{ status: 200, head: true }],
    connection: "open",
  },
  fields: {
    ...basics,
    send: [get("/")],
    ...served({ fields: { host: "a", trailer: undefined } }),
  },
  close: {
    ...basics,
    send: [get("/", "Connection: close")],
    ...servedThenClosed({ target: "/" }),
  },
  quiet: {
    ...basics,
    send: [get("/")],
    ...served({ target: "/" }),
    connection: "closed quietly",
  },
  refused: { ...basics, send: [get("/", "X Y: z")], ...refused(400) },
  late: {
    ...basics,
    send: [post("/", "Content-Length: 9")],
    ...refused(408),
  },
  continue: {
    ...basics,
    send: [get("/")],
    expect: [{ status: 100 }, { status: 200 }],
    connection: "open",
  },
  optional: {
    ...basics,
    send: [get("/")],
    expect: [{ status: 100, mayOmit: true }, { status: 200 }],
    connection: "open",
  },
};

const CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n";

/**
 * @param {import("node:test").TestContext} t which ends the server, too
 * @param {import("../../code/contracts/http/start.js").Start} start
 */
async function running(t, start) {
  const server = await start({ limits: {} });
  t.after(() => server.close());
  return server;
}

/** What a server says, and the words with which it must be caught. */
const wrongs = /** @type {const} */ ([
  ["another status", "get", [says(BAD)], /status is 400, not 200/],
  ["no answer", "get", [], /response 1 never came/],
  ["one answer for two requests", "two", [says(ok({ target: "/1" }))], /response 2 never came/],
  ["two answers for one request", "get", [says(ok() + ok())], /one response too many: 200/],
  [
    "answers in the wrong order",
    "two",
    [says(ok({ target: "/2" })), says(ok({ target: "/1" }))],
    /its target is "\/2", not "\/1"/,
  ],
  ["no date", "get", [says(ok({}, { date: undefined }))], /its date is absent/],
  [
    "yesterday's date",
    "get",
    [says(ok({}, { date: "Sun, 06 Nov 1994 08:49:37 GMT" }))],
    /its date is not now/,
  ],
  [
    "a date in another form",
    "get",
    [says(ok({}, { date: new Date().toISOString() }))],
    /its date is ".*", not like/,
  ],
  [
    "no content type",
    "get",
    [says(ok({}, { "content-type": undefined }))],
    /its content-type is absent/,
  ],
  [
    "HTML",
    "get",
    [says(ok({}, { "content-type": "text/html" }))],
    /its content-type is "text\/html"/,
  ],
  [
    "a body that is no JSON",
    "get",
    [says(response("200 OK", "hello", { "content-type": "application/json" }))],
    /its body is no JSON: hello/,
  ],
  ["JSON without a key", "get", [says(ok({ version: undefined }))], /its JSON has no version/],
  ["another body", "get", [says(ok({ target: "/x" }))], /its target is "\/x", not "\/"/],
  ["a missing field", "fields", [says(ok({ fields: {} }))], /the field host is absent, not "a"/],
  [
    "a field that should be dropped",
    "fields",
    [says(ok({ fields: { host: "a", trailer: "1" } }))],
    /the field trailer is "1", not absent/,
  ],
  [
    "an inherited field",
    "fields",
    [says(ok({ fields: JSON.parse('{"__proto__":{"host":"a"}}') }))],
    /the field host is absent/,
  ],
  [
    "a length too short",
    "get",
    [says(ok({}, { "content-length": 5 }))],
    /its body is no JSON|does not begin a response/,
  ],
  ["a length too long", "get", [says(ok({}, { "content-length": 999 }))], /never came/],
  ["no length", "get", [ends(ok({}, { "content-length": undefined }))], /no content-length/],
  ["two lengths", "get", [says(ok({}, { "Content-Length": 5 }))], /Content-Length is/],
  [
    "a length and chunks",
    "get",
    [says(ok({}, { "transfer-encoding": "chunked" }))],
    /both Content-Length and Transfer-Encoding/,
  ],
  ["a body to HEAD", "head", [says(ok({ method: "HEAD" }))], /does not begin a response/],
  ["bare LF", "get", [says(ok().replaceAll("\r\n", "\n"))], /never came|no status line/],
  ["a folded field", "get", [says(ok({}, { "x-a": "1\r\n 2" }))], /no field line: " 2"/],
  ["a space before a colon", "get", [says(ok({}, { "x-a ": "1" }))], /no field line: "x-a : 1"/],
  [
    "version 1.0",
    "get",
    [says(ok().replace("HTTP/1.1", "HTTP/1.0"))],
    /does not begin a response|no status line/,
  ],
  [
    "a status line without its second space",
    "get",
    [says(ok().replace("200 OK", "200"))],
    /no status line/,
  ],
  ["bytes before the response", "get", [says(`\r\n${ok()}`)], /no status line/],
  ["a close where it should stay", "get", [ends(ok())], /should be open, and is closed/],
  [
    "a close that was announced, and is wrong",
    "get",
    [ends(ok({}, { connection: "close" }))],
    /should be open, and is closed/,
  ],
  [
    "close, but stays",
    "get",
    [says(ok({}, { connection: "close" }))],
    /says connection: close, and it stays open/,
  ],
  ["nothing of closing", "close", [ends(ok())], /does not say connection: close/],
  [
    "close, and goes on",
    "close",
    [says(ok({}, { connection: "close" }))],
    /should be closed, and is (open|silent)/,
  ],
  [
    "nothing more, and does not close",
    "quiet",
    [says(ok())],
    /should be closed, and is (open|silent)/,
  ],
  ["a refusal, and stays open", "refused", [says(BAD)], /should be closed, and is open/],
  [
    "200 to what must be refused",
    "refused",
    [says(ok()), says(ok({ target: "/smuggled" }))],
    /status is 200, not 400/,
  ],
  ["nothing where a 408 is due", "late", [], /response 1 never came/],
  ["no 100", "continue", [says(ok())], /status is 200, not 100/],
  ["100 twice", "continue", [says(CONTINUE + CONTINUE + ok())], /status is 100, not 200/],
  [
    "100 with a length",
    "continue",
    [says(CONTINUE.replace("\r\n\r\n", "\r\nContent-Length: 0\r\n\r\n"))],
    /a body announced with status 100/,
  ],
  ["only 100 where it is optional", "optional", [says(CONTINUE)], /response 2 never came/],
  ["half a response", "get", [ends(ok().slice(0, 40))], /closed inside a response/],
  ["half a body", "get", [ends(ok().slice(0, -4))], /closed inside a response/],
]);

describe("A server is caught that", { concurrency: true }, () => {
  for (const [what, name, script, words] of wrongs) {
    it(`sends ${what}`, async (t) => {
      const server = await running(t, scripted([...script]));
      const options = { patience: 150 };
      const observation = await observe(theCase[name], server, options);
      assert.match(findFaults(theCase[name], observation).join("; "), words);
    });
  }

  it("breaks the connection instead of closing it", async (t) => {
    const reset = scripted([
      (socket) => {
        socket.write(BAD);
        setTimeout(() => socket.resetAndDestroy(), 20);
      },
    ]);
    const server = await running(t, reset);
    const observation = await observe(theCase.refused, server);
    assert.deepEqual(findFaults(theCase.refused, observation), [
      "the connection should be closed, and is reset",
    ]);
  });

  it("reads a request behind one that it has refused", async (t) => {
    const server = await running(
      t,
      scripted([
        (socket) => {
          socket.write(BAD);
          setImmediate(() => socket.end());
        },
        says(ok({ target: "/smuggled" })),
      ]),
    );
    await assert.rejects(runCase(theCase.refused, server), /one response too many: 200/);
  });

  it("goes silent", async (t) => {
    const mute = scripted([says(ok())], { answersProbe: false });
    const server = await running(t, mute);
    const options = { patience: 150 };
    const observation = await observe(theCase.get, server, options);
    assert.match(findFaults(theCase.get, observation).join(), /silent/);
  });

  it("is gone after a client has broken off", async () => {
    /** @type {Case} */
    const abort = {
      ...basics,
      send: ["GET / HT", { pause: 20 }, { abort: true }, { pause: 20 }],
      expect: [],
      connection: "aborted",
    };
    const fragile = startServer(() => {
      const server = createServer((socket) => {
        socket.on("error", () => server.close());
      });
      return server;
    });
    const server = await fragile({ limits: {} });
    await assert.rejects(observe(abort, server), { code: "ECONNREFUSED" });
  });
});

describe("A server passes that", { concurrency: true }, () => {
  const rights = /** @type {const} */ ([
    ["answers", "get", [says(ok())]],
    ["answers two", "two", [says(ok({ target: "/1" })), says(ok({ target: "/2" }))]],
    [
      "answers HEAD",
      "head",
      [
        says(
          response("200 OK", "", {
            "content-type": "application/json",
            "content-length": 99,
          }),
        ),
      ],
    ],
    ["announces its close", "close", [ends(ok({}, { connection: "close" }))]],
    ["closes quietly", "quiet", [ends(ok())]],
    ["refuses", "refused", [ends(BAD)]],
    ["says 100 first", "continue", [says(CONTINUE + ok())]],
    ["may say 100 and does", "optional", [says(CONTINUE + ok())]],
    ["may say 100 and doesn't", "optional", [says(ok())]],
    [
      "refuses in chunks",
      "refused",
      [
        ends(
          response("400 No", "2\r\nno\r\n0\r\n\r\n", {
            "content-length": undefined,
            connection: "close",
            "transfer-encoding": "chunked",
          }),
        ),
      ],
    ],
  ]);
  for (const [what, name, script] of rights) {
    it(what, async (t) => {
      const server = await running(t, scripted([...script]));
      await runCase(theCase[name], server);
    });
  }
});

describe("The message of a failure", () => {
  it("shows what was sent, expected and got, byte by byte", async (t) => {
    const server = await running(t, scripted([ends(BAD)]));
    /** @type {Case} */
    const aCase = {
      ...basics,
      send: ["GET /\xe9\0 HTTP/1.1\r\n", { pause: 5 }, "Host: a\r\n\r\n"],
      ...served({}),
    };
    await assert.rejects(runCase(aCase, server), (error) => {
      assert.ok(error instanceof Error);
      assert.equal(
        error.message,
        [
          "response 1: the status is 400, not 200; the connection should be open, and is closed (RFC 9112, section 6.3)",
          "  sent:",
          "    GET /\\xe9\\x00 HTTP/1.1\\r\\n",
          "    (5 ms later)",
          "    Host: a\\r\\n",
          "    \\r\\n",
          "  expected: 200, then open",
          "  got:      400, then closed",
        ].join("\n"),
      );
      return true;
    });
  });
});

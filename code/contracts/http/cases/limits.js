import {
  A_MOMENT,
  answers,
  get,
  head,
  inGroup,
  pause,
  post,
  postChunked,
  refused,
  rfc9110,
  rfc9112,
  served,
  servedThenClosed,
} from "./building-blocks.js";

/**
 * How much a client may ask of the server. Where a case sets no limits it
 * tries the defaults. Bytes are counted without the end of a request line,
 * and with the ends of the field lines; time begins with the first byte of
 * a request and is not lengthened by those that follow.
 */

const KIBIBYTE = 1024;

/** A request line of so many bytes, without its end. @param {number} bytes */
const requestLineOf = (bytes) => {
  const rest = "GET / HTTP/1.1".length;
  return `GET /${"a".repeat(bytes - rest)} HTTP/1.1`;
};

/**
 * Field lines of so many bytes in all, their ends included; Host is one.
 *
 * @param {number} bytes
 */
const fieldLinesOf = (bytes) => {
  const rest = "Host: a\r\nX-Long: \r\n".length;
  return ["Host: a", `X-Long: ${"b".repeat(bytes - rest)}`];
};

/** So many field lines, of which Host is one. @param {number} count */
const fieldLines = (count) => [
  "Host: a",
  ...Array.from({ length: count - 1 }, (_, i) => `X-${i}: ${i}`),
];

/** Pieces, with a pause before each but the first.
 * @param {string} bytes
 * @param {number} milliseconds */
const dripped = (bytes, milliseconds) =>
  [...bytes].flatMap((byte, i) =>
    i === 0 ? [byte] : [pause(milliseconds), byte],
  );

export const limits = inGroup("limits", [
  {
    name: "takes a request line of 8 KiB",
    section: rfc9112("3"),
    since: 4,
    send: [head(requestLineOf(8 * KIBIBYTE), "Host: a")],
    expect: [{ status: 200 }],
    connection: "open",
  },
  {
    name: "answers a request line of more than 8 KiB with 414",
    section: rfc9112("3"),
    since: 4,
    send: [head(requestLineOf(8 * KIBIBYTE + 1), "Host: a")],
    ...refused(414),
  },
  {
    name: "does not wait for the end of a request line that has none",
    section: rfc9110("15.5.15"),
    since: 4,
    send: [`GET /${"a".repeat(9 * KIBIBYTE)}`],
    ...refused(414),
  },
  {
    name: "answers a request line beyond the limit that was set with 414",
    section: rfc9110("15.5.15"),
    since: 4,
    limits: { requestLineBytes: 64 },
    send: [head(requestLineOf(65), "Host: a")],
    ...refused(414),
  },
  {
    name: "takes field lines of 16 KiB in all",
    section: rfc9110("5.4"),
    since: 4,
    send: [head("GET / HTTP/1.1", ...fieldLinesOf(16 * KIBIBYTE))],
    expect: [{ status: 200 }],
    connection: "open",
  },
  {
    name: "answers field lines of more than 16 KiB with 431",
    section: "RFC 6585, section 5",
    since: 4,
    send: [head("GET / HTTP/1.1", ...fieldLinesOf(16 * KIBIBYTE + 1))],
    ...refused(431),
  },
  {
    name: "does not wait for the end of a field line that has none",
    section: "RFC 6585, section 5",
    since: 4,
    send: [`GET / HTTP/1.1\r\nHost: a\r\nX: ${"a".repeat(17 * KIBIBYTE)}`],
    ...refused(431),
  },
  {
    name: "does not wait for the end of a head that never ends",
    section: "RFC 6585, section 5",
    since: 4,
    limits: { fieldCount: 1_000_000 },
    send: [`GET / HTTP/1.1\r\nHost: a\r\n${"X: a\r\n".repeat(3000)}`],
    ...refused(431),
  },
  {
    name: "takes a hundred field lines",
    section: rfc9110("5.4"),
    since: 4,
    send: [head("GET / HTTP/1.1", ...fieldLines(100))],
    ...served({ fields: { "x-98": "98" } }),
  },
  {
    name: "answers a hundred and one field lines with 431",
    section: "RFC 6585, section 5",
    since: 4,
    send: [head("GET / HTTP/1.1", ...fieldLines(101))],
    ...refused(431),
  },
  {
    name: "counts lines, not names: the same field too often is 431",
    section: "RFC 6585, section 5",
    since: 4,
    limits: { fieldCount: 10 },
    send: [get("/", ...Array(10).fill("X-Same: 1"))],
    ...refused(431),
  },
  {
    name: "begins to count anew with each request",
    section: rfc9110("5.4"),
    since: 4,
    limits: { fieldCount: 3, fieldSectionBytes: 40, requestLineBytes: 30 },
    send: [get("/", "A: 1", "B: 2").repeat(5)],
    ...served(...Array(5).fill({ fields: { b: "2" } })),
  },
  {
    name: "takes a body of 1 MiB",
    section: rfc9110("15.5.14"),
    since: 4,
    send: [
      post("/", `Content-Length: ${KIBIBYTE ** 2}`),
      "a".repeat(KIBIBYTE ** 2),
    ],
    expect: [{ status: 200 }],
    connection: "open",
  },
  {
    name: "answers a length of more than 1 MiB with 413, before the body",
    section: rfc9110("15.5.14"),
    since: 4,
    send: [post("/", `Content-Length: ${KIBIBYTE ** 2 + 1}`)],
    ...refused(413),
  },
  {
    name: "gets its 413 through to a client that goes on sending",
    section: rfc9112("9.6"),
    since: 4,
    send: [
      post("/", `Content-Length: ${3 * KIBIBYTE ** 2}`),
      A_MOMENT,
      "a".repeat(3 * KIBIBYTE ** 2),
    ],
    ...refused(413),
  },
  {
    name: "answers a chunk of more than 1 MiB with 413, before its data",
    section: rfc9110("15.5.14"),
    since: 4,
    send: [`${postChunked}100001\r\n`],
    ...refused(413),
  },
  {
    name: "answers chunks of more than the limit in all with 413",
    section: rfc9110("15.5.14"),
    since: 4,
    limits: { bodyBytes: 10 },
    send: [postChunked, "6\r\nhello,\r\n5\r\nworld\r\n0\r\n\r\n"],
    ...refused(413),
  },
  {
    name: "takes chunks of just the limit in all",
    section: rfc9110("15.5.14"),
    since: 4,
    limits: { bodyBytes: 10 },
    send: [postChunked, "5\r\nhello\r\n5\r\nworld\r\n0\r\n\r\n"],
    ...served({ body: "helloworld" }),
  },
  {
    name: "refuses an extension that never ends",
    section: rfc9112("7.1.1"),
    since: 4,
    send: [`${postChunked}5;${"a".repeat(17 * KIBIBYTE)}`],
    ...refused([400, 413, 431]),
  },
  {
    name: "refuses extensions that are more than the body, chunk by chunk",
    section: rfc9112("7.1.1"),
    since: 4,
    send: [
      postChunked,
      `1;${"a".repeat(200)}\r\na\r\n`.repeat(400),
      "0\r\n\r\n",
    ],
    ...refused([400, 413, 431]),
  },
  {
    name: "refuses zeros before the sizes that are more than the body",
    section: rfc9112("7.1"),
    since: 4,
    send: [
      postChunked,
      `${"0".repeat(250)}1\r\na\r\n`.repeat(400),
      "0\r\n\r\n",
    ],
    ...refused([400, 413, 431]),
  },
  {
    name: "takes chunks of one byte, some thousands of them",
    section: rfc9112("7.1"),
    since: 4,
    send: [postChunked, "1\r\na\r\n".repeat(20_000), "0\r\n\r\n"],
    ...served({ body: "a".repeat(20_000) }),
  },
  {
    name: "answers a trailer that never ends with 431",
    section: "RFC 6585, section 5",
    since: 4,
    send: [`${postChunked}0\r\nX-Long: ${"a".repeat(17 * KIBIBYTE)}`],
    ...refused(431),
  },
  {
    name: "answers more trailers than it takes fields with 431",
    section: "RFC 6585, section 5",
    since: 4,
    send: [postChunked, `0\r\n${"X-Same: 1\r\n".repeat(101)}\r\n`],
    ...refused(431),
  },
  {
    name: "answers a head that does not come to its end with 408",
    section: rfc9110("15.5.9"),
    since: 4,
    limits: { headTimeout: 150 },
    send: ["GET / HTTP/1.1\r\nHost: a\r\n"],
    ...refused(408),
  },
  {
    name: "answers a request line that stops after a byte with 408",
    section: rfc9110("15.5.9"),
    since: 4,
    limits: { headTimeout: 150 },
    send: ["G"],
    ...refused(408),
  },
  {
    name: "answers a HEAD that does not come to its end with a 408 alone",
    section: rfc9110("9.3.2"),
    since: 4,
    limits: { headTimeout: 150 },
    send: ["HEAD / HTTP/1.1\r\nHost: a\r\n"],
    expect: [{ status: 408, head: true }],
    connection: "closed",
  },
  {
    name: "gives a head that drips no more time than one that stops",
    section: rfc9110("15.5.9"),
    since: 4,
    limits: { headTimeout: 150 },
    send: dripped("GET / HTTP/1.1\r\n", 40),
    ...refused(408),
  },
  {
    name: "takes a head that comes slowly, and in time",
    section: rfc9110("15.5.9"),
    since: 4,
    limits: { headTimeout: 1000 },
    send: [
      "GET / HTTP/1.1\r\n",
      pause(100),
      "Host: a\r\n",
      pause(100),
      "\r\n",
    ],
    ...served({ target: "/" }),
  },
  {
    name: "gives each head its own time",
    section: rfc9110("15.5.9"),
    since: 4,
    limits: { headTimeout: 250 },
    send: [get("/1"), pause(150), get("/2"), pause(150), get("/3")],
    ...served({ target: "/1" }, { target: "/2" }, { target: "/3" }),
  },
  {
    name: "answers a body that does not come to its end with 408",
    section: rfc9110("15.5.9"),
    since: 4,
    limits: { requestTimeout: 200 },
    send: [post("/", "Content-Length: 9"), "hello"],
    ...refused(408),
  },
  {
    name: "gives a body that drips no more time than one that stops",
    section: rfc9110("15.5.9"),
    since: 4,
    limits: { requestTimeout: 200 },
    send: [
      post("/", "Content-Length: 16"),
      ...dripped("hello, slow body", 40),
    ],
    ...refused(408),
  },
  {
    name: "answers chunks that do not come to their end with 408",
    section: rfc9110("15.5.9"),
    since: 4,
    limits: { requestTimeout: 200 },
    send: [postChunked, "5\r\nhello\r\n"],
    ...refused(408),
  },
  {
    name: "answers with 408 where a second request stops",
    section: rfc9110("15.5.9"),
    since: 4,
    limits: { headTimeout: 150 },
    send: [get("/1"), answers(1), "GET /2 HT"],
    expect: [{ status: 200, json: { target: "/1" } }, { status: 408 }],
    connection: "closed",
  },
  {
    name: "closes a connection that asks nothing more, without a word",
    section: rfc9112("9.5"),
    since: 4,
    limits: { idleTimeout: 100 },
    send: [get("/")],
    ...served({ target: "/" }),
    connection: "closed quietly",
  },
  {
    name: "closes a connection that never asks anything, without a word",
    section: rfc9112("9.5"),
    since: 4,
    limits: { idleTimeout: 100, headTimeout: 100, requestTimeout: 200 },
    send: [],
    expect: [],
    connection: "closed quietly",
  },
  {
    name: "takes a request that comes before the connection is idle",
    section: rfc9112("9.5"),
    since: 4,
    limits: { idleTimeout: 2_000 },
    send: [get("/1"), pause(100), get("/2"), pause(100)],
    ...served({ target: "/1" }, { target: "/2" }),
  },
  {
    name: "closes after one request where one was the limit",
    section: rfc9112("9.6"),
    since: 4,
    limits: { requestsPerConnection: 1 },
    send: [get("/")],
    ...servedThenClosed({ target: "/" }),
  },
]);

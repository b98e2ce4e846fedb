import {
  A_MOMENT,
  answers,
  get,
  head,
  inGroup,
  post,
  refused,
  rfc9110,
  served,
  servedThenClosed,
} from "./building-blocks.js";

const EXPECT = "Expect: 100-continue";

/** A client that asks before it sends its body. */
export const expectContinue = inGroup("expect", [
  {
    name: "tells a client that waits with its body to go on",
    section: rfc9110("10.1.1"),
    since: 4,
    send: [post("/", EXPECT, "Content-Length: 5"), answers(1), "hello"],
    expect: [
      { status: 100, fields: { "content-length": undefined } },
      { status: 200, json: { body: "hello" } },
    ],
    connection: "open",
  },
  {
    name: "tells a client that waits with its chunks to go on",
    section: rfc9110("10.1.1"),
    since: 4,
    send: [
      post("/", EXPECT, "Transfer-Encoding: chunked"),
      answers(1),
      "5\r\nhello\r\n0\r\n\r\n",
    ],
    expect: [{ status: 100 }, { status: 200, json: { body: "hello" } }],
    connection: "open",
  },
  {
    name: "reads the expectation in any case",
    section: rfc9110("10.1.1"),
    since: 4,
    send: [
      post("/", "expect: 100-CONTINUE", "Content-Length: 5"),
      answers(1),
      "hello",
    ],
    expect: [{ status: 100 }, { status: 200, json: { body: "hello" } }],
    connection: "open",
  },
  {
    name: "tells it once, in however many segments the body comes",
    section: rfc9110("10.1.1"),
    since: 4,
    send: [
      post("/", EXPECT, "Content-Length: 5"),
      answers(1),
      "he",
      A_MOMENT,
      "llo",
    ],
    expect: [{ status: 100 }, { status: 200, json: { body: "hello" } }],
    connection: "open",
  },
  {
    name: "need not tell a client that did not wait",
    section: rfc9110("10.1.1"),
    since: 4,
    send: [`${post("/", EXPECT, "Content-Length: 5")}hello`],
    expect: [
      { status: 100, mayOmit: true },
      { status: 200, json: { body: "hello" } },
    ],
    connection: "open",
  },
  {
    name: "need not tell a client that has no body",
    section: rfc9110("10.1.1"),
    since: 4,
    send: [get("/", EXPECT)],
    expect: [
      { status: 100, mayOmit: true },
      { status: 200, json: { body: "" } },
    ],
    connection: "open",
  },
  {
    name: "does not tell a version 1.0 client, which cannot know",
    section: rfc9110("10.1.1"),
    since: 4,
    send: [
      head("POST / HTTP/1.0", "Host: a", EXPECT, "Content-Length: 5"),
      A_MOMENT,
      "hello",
    ],
    ...servedThenClosed({ body: "hello" }),
  },
  {
    name: "tells the second of two requests at its turn",
    section: rfc9110("10.1.1"),
    since: 4,
    send: [
      get("/1") + post("/2", EXPECT, "Content-Length: 5"),
      answers(2),
      "hello",
    ],
    expect: [
      { status: 200, json: { target: "/1" } },
      { status: 100 },
      { status: 200, json: { target: "/2", body: "hello" } },
    ],
    connection: "open",
  },
  {
    name: "answers an expectation that it cannot meet with 417",
    section: rfc9110("10.1.1"),
    since: 4,
    send: [post("/", "Expect: 200-ok", "Content-Length: 5"), "hello"],
    ...refused(417),
  },
  {
    name: "answers 417 also when only one of two expectations is known",
    section: rfc9110("15.5.18"),
    since: 4,
    send: [post("/", `${EXPECT}, tea`, "Content-Length: 5"), "hello"],
    ...refused(417),
  },
  {
    name: "refuses a body too large at once, instead of asking for it",
    section: rfc9110("10.1.1"),
    since: 4,
    limits: { bodyBytes: 100 },
    send: [post("/", EXPECT, "Content-Length: 101")],
    ...refused(413),
  },
  {
    name: "does not ask for a body whose framing is wrong",
    section: rfc9110("10.1.1"),
    since: 4,
    send: [post("/", EXPECT, "Content-Length: 5x")],
    ...refused(400),
  },
  {
    name: "goes on to the next request after a body that it asked for",
    section: rfc9110("10.1.1"),
    since: 4,
    send: [
      post("/1", EXPECT, "Content-Length: 5"),
      answers(1),
      `hello${get("/2")}`,
    ],
    expect: [
      { status: 100 },
      ...served({ body: "hello" }, { target: "/2" }).expect,
    ],
    connection: "open",
  },
  {
    name: "expects nothing of an empty Expect",
    section: rfc9110("5.6.1"),
    since: 4,
    send: [post("/", "Expect:", "Content-Length: 5"), "hello"],
    ...served({ body: "hello" }),
  },
  {
    name: "passes over empty members in a list of expectations",
    section: rfc9110("5.6.1"),
    since: 4,
    send: [
      post("/", "Expect: , 100-continue", "Content-Length: 5"),
      answers(1),
      "hello",
    ],
    expect: [{ status: 100 }, { status: 200, json: { body: "hello" } }],
    connection: "open",
  },
]);

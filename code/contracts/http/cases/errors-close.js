import {
  A_MOMENT,
  answers,
  get,
  head,
  inGroup,
  post,
  postChunked,
  refused,
  rfc9110,
  rfc9112,
} from "./building-blocks.js";

/**
 * What follows a mistake: one answer, the end of the connection, and not
 * another byte read as a request. (The runner sends a request behind every
 * case that must be refused, and fails the server that answers it.)
 */
export const errorsClose = inGroup("errors close", [
  {
    name: "answers what came before the mistake, and then the mistake",
    section: rfc9112("9.3.2"),
    since: 4,
    send: [get("/1") + get("/2") + get("/3", "X Name: 3")],
    expect: [
      { status: 200, json: { target: "/1" } },
      { status: 200, json: { target: "/2" } },
      { status: 400 },
    ],
    connection: "closed",
  },
  {
    name: "answers a mistake once, however much comes behind it",
    section: rfc9112("6.3"),
    since: 4,
    send: [post("/", "Content-Length: x"), get("/smuggled").repeat(100)],
    ...refused(400),
  },
  {
    name: "reads nothing of what comes after the mistake was answered",
    section: rfc9112("9.6"),
    since: 4,
    send: [
      post("/", "Content-Length: x"),
      answers(1),
      get("/smuggled"),
      A_MOMENT,
      get("/smuggled"),
    ],
    ...refused(400),
  },
  {
    name: "does not find a request in the body of one that it refused",
    section: rfc9112("11.2"),
    since: 4,
    send: [
      post("/", "Content-Length: 5", "Transfer-Encoding: chunked"),
      `0\r\n\r\n${get("/smuggled")}`,
    ],
    ...refused(400),
  },
  {
    name: "does not find a request behind a chunk that is too long",
    section: rfc9112("11.2"),
    since: 4,
    send: [postChunked, `3\r\nabcd\r\n0\r\n\r\n${get("/smuggled")}`],
    ...refused(400),
  },
  {
    name: "sends nothing of a body that turns out to be wrong",
    section: rfc9112("7.1"),
    since: 4,
    send: [postChunked, "5\r\nhello\r\n", A_MOMENT, "x\r\n"],
    ...refused(400),
  },
  {
    name: "gives a refusal a date and a length",
    section: rfc9110("6.6.1"),
    since: 2,
    send: [get("/", "no colon")],
    expect: [
      {
        status: 400,
        fields: { date: / GMT$/, "content-length": /^\d+$/ },
      },
    ],
    connection: "closed",
  },
  {
    name: "refuses a HEAD without sending a body",
    section: rfc9110("9.3.2"),
    since: 4,
    send: [head("HEAD / HTTP/1.1")],
    expect: [{ status: 400, head: true }],
    connection: "closed",
  },
  {
    name: "gives the refusal behind a HEAD its body",
    section: rfc9110("9.3.2"),
    since: 4,
    send: [head("HEAD / HTTP/1.1", "Host: a") + "pizza\r\n"],
    expect: [
      { status: 200, head: true },
      { status: 400, fields: { "content-length": /^[1-9]\d*$/ } },
    ],
    connection: "closed",
  },
  {
    name: "tells who was refused nothing of the server's inside",
    section: rfc9110("10.2.4"),
    since: 2,
    send: [get("/", "X-Secret-Name\0: 1")],
    expect: [{ status: 400, fields: { server: undefined } }],
    connection: "closed",
  },
  {
    name: "refuses a mistake in version 1.0 just so",
    section: rfc9112("5.1"),
    since: 2,
    send: [head("GET / HTTP/1.0", "Connection: keep-alive", "X-Name : 1")],
    ...refused(400),
  },
  {
    name: "closes after a 501, too",
    section: rfc9110("15.6.2"),
    since: 4,
    send: [head("BREW / HTTP/1.1", "Host: a") + get("/smuggled")],
    ...refused(501),
  },
  {
    name: "closes after a 505, too",
    section: rfc9110("15.6.6"),
    since: 4,
    send: [head("GET / HTTP/3.0", "Host: a") + get("/smuggled")],
    ...refused(505),
  },
]);

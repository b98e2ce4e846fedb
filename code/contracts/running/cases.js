/**
 * What a client sees of a server that closes. It sends `before`; when so many
 * requests have begun and so many answers have come, the server is told to
 * close; then it sends `meanwhile` at once, and `later` when 200 ms are over.
 *
 * In `sees` stand the statuses of the answers; `last` is whether the newest
 * one says so. `ends` is who ended the connection: the server by itself, the
 * deadline, or a reset, which must not be.
 */

/**
 * @typedef {object} Case
 * @property {string} name
 * @property {"answers" | "pipelines" | "deadline" | "goodbyes"} [group]
 * @property {string} before
 * @property {number} [begun] requests that have begun when it closes
 * @property {number} [answered] answers that have come when it closes
 * @property {string} [meanwhile]
 * @property {string} [later]
 * @property {number[]} sees
 * @property {boolean} [last]
 * @property {"itself" | "deadline"} ends
 * @property {number} [cut] how many connections are counted as cut
 */

/** @param {string} target @param {string} [fields] @param {string} [method] */
export function ask(target, fields = "", method = "GET") {
  return `${method} ${target} HTTP/1.1\r\nHost: x\r\n${fields}\r\n`;
}

const UPGRADE =
  "Connection: Upgrade\r\nUpgrade: websocket\r\n" +
  "Sec-WebSocket-Version: 13\r\n" +
  "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";

/** @type {Case[]} */
export const CASES = [
  {
    name: "leaves an idle connection until its time is over",
    before: ask("/fast"),
    answered: 1,
    sees: [200],
    ends: "itself",
  },
  {
    name: "answers a request that is on its way to an idle connection",
    before: ask("/fast"),
    answered: 1,
    meanwhile: ask("/fast"),
    sees: [200, 200],
    last: true,
    ends: "itself",
  },
  {
    name: "answers a request that comes later, and says that it is the last",
    before: ask("/fast"),
    answered: 1,
    later: ask("/fast"),
    sees: [200, 200],
    last: true,
    ends: "itself",
  },
  {
    name: "answers a POST on an idle connection",
    before: ask("/fast"),
    answered: 1,
    meanwhile: `${ask("/echo", "Content-Length: 5\r\n", "POST")}hello`,
    sees: [200, 200],
    last: true,
    ends: "itself",
  },
  {
    name: "finishes an answer that is under way",
    before: ask("/slow"),
    begun: 1,
    sees: [200],
    last: true,
    ends: "itself",
  },
  {
    name: "finishes an answer whose head is sent already",
    before: ask("/stream"),
    begun: 1,
    answered: 1,
    sees: [200],
    ends: "itself",
  },
  {
    name: "waits for a body whose bytes still come",
    before: `${ask("/echo", "Content-Length: 5\r\n", "POST")}he`,
    begun: 1,
    later: "llo",
    sees: [200],
    last: true,
    ends: "itself",
  },
  {
    name: "answers all requests of a pipeline",
    group: "pipelines",
    before: ask("/slow") + ask("/fast") + ask("/slow"),
    begun: 3,
    sees: [200, 200, 200],
    last: true,
    ends: "itself",
  },
  {
    name: "waits for the second half of a head",
    before: "GET /fast HT",
    later: "TP/1.1\r\nHost: x\r\n\r\n",
    sees: [200],
    last: true,
    ends: "itself",
  },
  {
    name: "goes on to limit the time for a head",
    before: "GET /fast HT",
    sees: [408],
    last: true,
    ends: "itself",
  },
  {
    name: "says so in an error's answer too",
    before: ask("/fails"),
    begun: 1,
    sees: [500],
    last: true,
    ends: "itself",
  },
  {
    name: "says so where no route is",
    before: ask("/fast"),
    answered: 1,
    meanwhile: ask("/nowhere"),
    sees: [200, 404],
    last: true,
    ends: "itself",
  },
  {
    name: "says so whatever the handler says of the connection",
    before: ask("/keeps"),
    begun: 1,
    sees: [200],
    last: true,
    ends: "itself",
  },
  {
    name: "says so whatever fields a handler passes on",
    before: ask("/passes-on"),
    begun: 1,
    sees: [200],
    last: true,
    ends: "itself",
  },
  {
    name: "says so beside the Upgrade of a 426",
    before: ask("/fast"),
    answered: 1,
    meanwhile: ask("/socket"),
    sees: [200, 426],
    ends: "itself",
  },
  {
    name: "closes behind an answer to HTTP/1.0 that asks for more",
    before:
      "GET /slow HTTP/1.0\r\nHost: x\r\nConnection: keep-alive\r\n\r\n",
    begun: 1,
    sees: [200],
    last: true,
    ends: "itself",
  },
  {
    name: "asks for a body that the client waits to send",
    before: ask("/fast"),
    answered: 1,
    meanwhile: ask(
      "/echo",
      "Content-Length: 2\r\nExpect: 100-continue\r\n",
      "POST",
    ),
    later: "hi",
    sees: [200, 100, 200],
    last: true,
    ends: "itself",
  },
  {
    name: "ends a stream of events",
    group: "goodbyes",
    before: ask("/events"),
    begun: 1,
    answered: 1,
    sees: [200],
    ends: "itself",
  },
  {
    name: "says 1001 to a WebSocket, and cuts one that doesn't answer",
    group: "goodbyes",
    before: ask("/socket", UPGRADE),
    begun: 1,
    answered: 1,
    sees: [101],
    ends: "deadline",
    cut: 1,
  },
  {
    name: "cuts what never answers",
    group: "deadline",
    before: ask("/never"),
    begun: 1,
    sees: [],
    ends: "deadline",
    cut: 1,
  },
  {
    name: "cuts an answer that never ends",
    group: "deadline",
    before: ask("/endless"),
    begun: 1,
    answered: 1,
    sees: [200],
    ends: "deadline",
    cut: 1,
  },
  {
    name: "says it on the newest answer, whichever comes first",
    group: "pipelines",
    before: ask("/slow") + ask("/fast"),
    begun: 2,
    later: ask("/fast"),
    sees: [200, 200, 200],
    last: true,
    ends: "itself",
  },
  {
    name: "ends events that begin while it closes",
    group: "goodbyes",
    before: ask("/fast"),
    answered: 1,
    meanwhile: ask("/events"),
    sees: [200, 200],
    last: true,
    ends: "itself",
  },
];

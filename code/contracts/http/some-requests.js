/**
 * Requests by chance, in bytes: right ones, odd ones, and right ones with
 * some bytes changed. What makes them takes choices of chapter 18's.
 *
 * @typedef {object} Choices
 * @property {(limit: number) => number} below
 * @property {<T>(values: T[]) => T} pick the simplest stands first
 * @property {<T>(most: number, make: () => T) => T[]} list
 */

const METHODS =
  "GET POST HEAD OPTIONS PUT DELETE PATCH TRACE PROPFIND QUERY PURGE get G BREW GET, A!#$".split(
    " ",
  );
const TARGETS = [
  "/",
  "/a?b=c",
  "/%61%",
  "/a|{}^`",
  "*",
  "http://a/",
  "http://a",
  "HTTP://b:1/x?y",
  "http://u@a/",
  "http://",
  "https://a:/",
  "/#f",
  "a",
  "/é",
  "/\t",
  "/\x7f",
  "//a",
  "a:1",
  "?",
];
const VERSIONS = [
  "HTTP/1.1",
  "HTTP/1.0",
  "HTTP/1.2",
  "HTTP/2.0",
  "http/1.1",
  "HTTP/1.10",
  "HTTP/11",
  "HTTP/0.9",
  "HTTP/1,1",
  "RTSP/1.0",
];
const HOSTS = [
  "a",
  "a:80",
  "",
  "[::1]:1",
  "[:::]",
  "[1.2.3.4]",
  "a b",
  "u@a",
  "a/b",
  "a,b",
  "a:b",
  "a%zz",
  "a%41",
  "é",
  "a:",
  "[::1",
];
const FIELDS = [
  "X: y",
  "X-Empty:",
  "Accept: */*",
  "Cookie: a=1",
  "cookie: b=2",
  "Set-Cookie: a",
  "Connection: close",
  "Connection: keep-alive",
  "Connection: Keep-Alive, X-A",
  "connection: CLOSE",
  "Connection: x, close",
  "Connection: upgrade\r\nUpgrade: websocket",
  "Connection: upgrade\r\nUpgrade: h2c",
  "Upgrade: websocket",
  "Proxy-Connection: close",
  "Keep-Alive: timeout=1",
  "Expect: 100-continue",
  "Expect: 100-Continue",
  "Expect: x",
  "Expect:",
  "Expect: 100-continue, x",
  "Trailer: X",
  "TE: trailers",
  "__proto__: x",
  "X: \t a \t",
  "X:\x80\xff",
  "X: a\tb",
  "Content-Lengt: 5",
];
const BAD_FIELDS = [
  "Content-Length : 1",
  "Content-Length\t: 1",
  "X : y",
  " X: y",
  "X",
  ": y",
  "X y: z",
  "X: a\x00",
  "X: a\rb",
  "X: a\x0b",
  "X: \x7f",
  "X\x80: y",
  "X: y\r\n z",
  "X: y\nZ: z",
  "(: y",
];
const LENGTHS = [
  "0",
  "3",
  "03",
  "+3",
  "-3",
  "3 ",
  "3,3",
  "3, 3",
  "0x3",
  "3.0",
  "",
  "9",
  "18446744073709551619",
  "9007199254740993",
  "3\t",
  "\x0b3",
  "3_0",
];
const CODINGS = [
  "chunked",
  "Chunked",
  "gzip, chunked",
  "chunked, gzip",
  "chunked, chunked",
  "identity",
  "xchunked",
  "",
  ", chunked",
  "chunked,",
  '"chunked"',
  "chunked;a=b",
  "\x0bchunked",
  "chunked \t",
  "gzip",
  "chunked, identity",
];
const SIZES = [
  "3",
  "03",
  "3;a",
  "3;a=b",
  '3;a="b;c"',
  "3 ;a",
  "3;",
  "+3",
  "0x3",
  "3 ",
  " 3",
  "g",
  "",
  "ffffffffffffffff3",
  "3;a\rb",
  "3;a\nb",
  "3;\xff",
  "2",
  "4",
  "3;=",
  '3;a="b',
];
const TRAILERS = [
  "X: y",
  "X : y",
  "Content-Length: 5",
  "Transfer-Encoding: chunked",
  "Host: b",
  " X: y",
  "X",
  "X: \0",
];
/** Bytes that mean something, and some that don't. */
const BYTES = '\r\n :;,\t\0/\x7f\x80 a0="%'.split("");

/** Mostly the first: else hardly any request would be right.
 * @template T @param {Choices} choices @param {T[]} values */
function mostly(choices, values) {
  return choices.below(20) < 19 ? values[0] : choices.pick(values);
}

const none = () => /** @type {string[]} */ ([]);
const aLength = (/** @type {Choices} */ choices) => [
  `Content-Length: ${mostly(choices, LENGTHS.slice(1))}`,
];
const aCoding = (/** @type {Choices} */ choices) => [
  `Transfer-Encoding: ${mostly(choices, CODINGS)}`,
];
const both = (/** @type {Choices} */ choices) => [
  ...aCoding(choices),
  ...aLength(choices),
];

/** @param {string[]} values @param {string[]} names */
function twoOf(values, ...names) {
  return (/** @type {Choices} */ choices) =>
    names.map((name) => `${name}: ${choices.pick(values)}`);
}

/** @param {Choices} choices */
function makeHead(choices) {
  const line = [
    mostly(choices, METHODS),
    mostly(choices, TARGETS),
    mostly(choices, VERSIONS),
  ];
  const fields = choices
    .list(4, () => choices.pick(mostly(choices, [FIELDS, BAD_FIELDS])))
    .slice(choices.below(3));
  for (let hosts = mostly(choices, [1, 0, 2]); hosts > 0; hosts -= 1)
    fields.splice(
      choices.below(fields.length + 1),
      0,
      `Host: ${mostly(choices, HOSTS)}`,
    );
  const framing = choices.pick([
    none,
    none,
    aLength,
    aCoding,
    none,
    aLength,
    aCoding,
    twoOf(LENGTHS, "Content-Length", "content-length"),
    twoOf(CODINGS, "Transfer-Encoding", "Transfer-Encoding"),
    both,
  ])(choices);
  for (const field of framing)
    fields.splice(choices.below(fields.length + 1), 0, field);
  return `${[line.join(" "), ...fields].join("\r\n")}\r\n\r\n`;
}

/** @param {Choices} choices */
function makeChunks(choices) {
  const chunks = choices.list(
    3,
    () =>
      `${mostly(choices, SIZES)}\r\n${mostly(choices, ["abc", "ab", "abcd"])}\r\n`,
  );
  const trailers =
    choices.below(3) === 2
      ? choices.list(2, () => `${choices.pick(TRAILERS)}\r\n`)
      : [];
  return `${chunks.join("")}${mostly(choices, ["0", "00", "0;a=b", "0 "])}\r\n${trailers.join("")}\r\n`;
}

/** @param {Choices} choices */
function makeBody(choices) {
  return choices.pick([() => "", () => "abc", () => makeChunks(choices)])();
}

/** @param {Choices} choices */
function makeRequest(choices) {
  const before = mostly(choices, ["", "\r\n", "\r\n\r\n", "\n", " "]);
  const head = makeHead(choices);
  const isChunked = /^Transfer-Encoding: chunked\r$/im.test(head);
  const isLong = /^Content-Length: 0*3\r$/im.test(head);
  // What the head says, in most cases.
  const isTrue = choices.below(8) < 7;
  const body = !isTrue
    ? makeBody(choices)
    : isChunked
      ? makeChunks(choices)
      : isLong
        ? "abc"
        : "";
  return before + head + body;
}

/** @param {Choices} choices @param {string} text */
function change(choices, text) {
  const at = choices.below(text.length + 1);
  const byte = choices.pick(BYTES);
  const other = choices.below(text.length + 1);
  return choices.pick([
    () => text,
    () => text.slice(0, at) + byte + text.slice(at),
    () => text.slice(0, at) + text.slice(at + 1),
    () => text.slice(0, at) + byte + text.slice(at + 1),
    () => text.slice(0, at),
    () => text.slice(0, at) + text.slice(other),
    () => text.replace("\r\n", "\n"),
  ])();
}

/**
 * One to three requests in a row.
 *
 * @param {Choices} choices
 * @returns {Buffer}
 */
export function makeRequests(choices) {
  const count = 1 + choices.pick([0, 0, 1, 2]);
  let text = "";
  for (let i = 0; i < count; i += 1) text += makeRequest(choices);
  for (let i = choices.pick([0, 0, 0, 1, 0, 0, 2]); i > 0; i -= 1)
    text = change(choices, text);
  return Buffer.from(text, "latin1");
}

/**
 * The same bytes in pieces, cut anywhere.
 *
 * @param {Choices} choices
 * @param {Buffer} bytes
 * @param {number} [most] pieces
 */
export function makePieces(choices, bytes, most = 6) {
  const cuts = choices
    .list(most - 1, () => choices.below(bytes.length + 1))
    .sort((a, b) => a - b);
  return [0, ...cuts].map((start, i) => bytes.subarray(start, cuts[i]));
}

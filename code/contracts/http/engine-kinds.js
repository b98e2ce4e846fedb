/**
 * In what the engine and node:http differ where chance makes the requests.
 * Each kind says what its bytes have, and how the two verdicts go apart.
 *
 * @typedef {import("./verdict.js").Verdict} Verdict
 *
 * @typedef {object} Kind
 * @property {string} what the engine does
 * @property {string} reason with the section of the RFC
 * @property {string} example bytes, latin1
 * @property {number} [only] the version of Node.js that has it, if not all do
 * @property {RegExp} bytes what a request of the kind has
 * @property {(ours: Verdict, theirs: Verdict) => boolean} isSo
 */

/** The engine refuses a request that node:http hands on.
 * @type {Kind["isSo"]} */
const stricter = (ours, theirs) =>
  isRefusal(ours) && isBeginning(ours.requests, theirs.requests);

/** node:http refuses what the engine reads on in.
 * @type {Kind["isSo"]} */
const looser = (ours, theirs) =>
  isRefusal(theirs) && isBeginning(theirs.requests, ours.requests);

/** Both refuse it, in other words.
 * @type {Kind["isSo"]} */
const otherwise = (ours, theirs) =>
  isRefusal(ours) &&
  isRefusal(theirs) &&
  isBeginning(ours.requests, theirs.requests);

/** The connection stays open for one, and not for the other.
 * @type {Kind["isSo"]} */
const otherEnd = (ours, theirs) =>
  isBeginning(theirs.requests, ours.requests) ||
  isBeginning(ours.requests, theirs.requests);

/** @param {Verdict} verdict */
function isRefusal({ statuses, isOpen }) {
  return !isOpen && (statuses.at(-1) ?? 0) >= 400;
}

/**
 * Whether these requests are the first of those; what the last of them was
 * refused with came before, or in, its body.
 *
 * @param {Verdict["requests"]} few
 * @param {Verdict["requests"]} many
 */
function isBeginning(few, many) {
  if (few.length > many.length) return false;
  return few.every(({ head, body, isComplete }, i) => {
    const same = head === many[i].head;
    return same && (!isComplete || body === many[i].body);
  });
}

const get = (/** @type {string[]} */ ...fields) =>
  `${["GET / HTTP/1.1", "Host: a", ...fields].join("\r\n")}\r\n\r\n`;
const CHUNKED = "Transfer-Encoding: chunked";

/** @type {Kind[]} */
export const KINDS = [
  {
    what: "answers a method that it doesn't know with 501, not with 400",
    reason: "RFC 9110, section 9.1",
    example: "BREW / HTTP/1.1\r\nHost: a\r\n\r\n",
    bytes: /[!#$%&'*+.^_`|~\w-]+ /,
    isSo: (ours, theirs) =>
      ours.statuses.at(-1) === 501 && otherwise(ours, theirs),
  },
  {
    what: "answers a version that isn't 1.x with 505",
    reason: "RFC 9110, section 15.6.6",
    example: "GET / HTTP/2.0\r\nHost: a\r\n\r\n",
    bytes: /HTTP\/[02-9]\.\d/,
    isSo: (ours, theirs) =>
      ours.statuses.at(-1) === 505 &&
      (stricter(ours, theirs) || otherwise(ours, theirs)),
  },
  {
    what: "refuses another protocol's name",
    reason: "RFC 9112, section 2.3",
    example: "GET / RTSP/1.0\r\n\r\n",
    bytes: /(?:RTSP|ICE)\/\d/,
    isSo: stricter,
  },
  {
    what: "serves a version 1.x beyond 1.1",
    reason: "RFC 9110, section 2.5",
    example: "GET / HTTP/1.2\r\nHost: a\r\n\r\n",
    bytes: /HTTP\/1\.[2-9]\r/,
    isSo: looser,
  },
  {
    what: "refuses two Hosts",
    reason: "RFC 9112, section 3.2",
    example: get("Host: a"),
    bytes: /\nhost:(?:(?!\r\n\r\n)[\s\S])*\nhost:/i,
    isSo: stricter,
  },
  {
    what: "passes over one empty line before a request, of CR and LF, and no other",
    reason: "RFC 9112, section 2.2",
    example: `\n${get()}`,
    bytes: /(?:^|[^\r])\n|\r(?!\n)|(?:^|\n\r\n|abc)\r\n\r\n/,
    isSo: stricter,
  },
  {
    what: "refuses spaces too many in the request line",
    reason: "RFC 9112, section 3",
    example: "GET  / HTTP/1.1\r\nHost: a\r\n\r\n",
    bytes: / {2}/,
    isSo: stricter,
  },
  {
    what: "refuses a transfer coding in HTTP/1.0",
    reason: "RFC 9112, section 6.1",
    example: `GET / HTTP/1.0\r\n${CHUNKED}\r\n\r\n0\r\n\r\n`,
    bytes: /HTTP\/1\.0\r\n(?:(?!\r\n\r\n)[\s\S])*transfer-encoding/i,
    isSo: stricter,
  },
  {
    what: "refuses a coding that isn't chunked before a handler hears of it",
    reason: "RFC 9112, section 6.3",
    example: get("Transfer-Encoding: identity"),
    bytes:
      /transfer-encoding:(?![\t ]*chunked[\t ]*\r)|transfer-encoding:(?:(?!\r\n\r\n)[\s\S])*transfer-encoding:/i,
    isSo: (ours, theirs) =>
      stricter(ours, theirs) || otherwise(ours, theirs),
  },
  {
    what: "passes over empty members of a list of codings",
    reason: "RFC 9110, section 5.6.1",
    example: `${get("Transfer-Encoding: chunked,")}0\r\n\r\n`,
    bytes:
      /transfer-encoding:[\t ]*(?:,|chunked,)|transfer-encoding:[\t ]*\r/i,
    isSo: looser,
  },
  {
    what: "keeps a trailer of any name, and believes none",
    reason: "RFC 9110, section 6.5.1",
    example: `${get(CHUNKED)}0\r\nContent-Length: 5\r\n\r\n`,
    bytes:
      /0(?:;a=b)?\r\n(?:[^\r\n]*\r\n)*(?:content-length|transfer-encoding):/i,
    isSo: looser,
  },
  {
    what: "takes white space before an extension away",
    reason: "RFC 9110, section 5.6.3",
    example: `${get(CHUNKED)}3 ;a\r\nabc\r\n0\r\n\r\n`,
    bytes: /\d[\t ]+;/,
    isSo: looser,
  },
  {
    what: "refuses an extension whose grammar is wrong",
    reason: "RFC 9112, section 7.1.1",
    example: `${get(CHUNKED)}3;=\r\nabc\r\n0\r\n\r\n`,
    bytes: /\n\d+[\t ]*;/,
    isSo: stricter,
  },
  {
    what: "takes no notice of Proxy-Connection",
    reason: "RFC 9110, section 7.6.1",
    example: `${get("Proxy-Connection: close")}${get()}`,
    bytes: /proxy-connection/i,
    isSo: otherEnd,
  },
  {
    what: "refuses the target * but for OPTIONS",
    reason: "RFC 9112, section 3.2.4",
    example: "GET * HTTP/1.1\r\nHost: a\r\n\r\n",
    bytes: / \* HTTP/,
    isSo: stricter,
  },
  {
    what: "asks for Host where the connection is to be handed over, too",
    reason: "RFC 9112, section 3.2",
    example:
      "GET / HTTP/1.1\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n",
    bytes: /\nUpgrade: websocket/i,
    isSo: stricter,
  },
  {
    what: "refuses a length that a number can't hold",
    reason: "RFC 9110, section 8.6",
    example: get("Content-Length: 9007199254740993"),
    bytes: /9007199254740993/,
    isSo: stricter,
  },
  {
    what: "reads what comes together with a request for a protocol that it doesn't change to",
    reason: "RFC 9110, section 7.8",
    example: get("Connection: upgrade", "Upgrade: h2c") + get(),
    bytes: /\nUpgrade:/i,
    isSo: (ours, theirs) => isBeginning(theirs.requests, ours.requests),
  },
  {
    what: "refuses a request line without a version",
    reason: "RFC 9112, section 2.3",
    example: "GET /\r\nHost: a\r\n\r\n",
    bytes: /(?:^|\n|abc)[A-Z]+ [!-~]*\r\n/,
    isSo: (ours, theirs) =>
      stricter(ours, theirs) || otherwise(ours, theirs),
  },
  {
    what: "refuses a target of none of the four forms",
    reason: "RFC 9112, section 3.2",
    example: "GET ftp://a/ HTTP/1.1\r\nHost: a\r\n\r\n",
    bytes: / (?!\/)[!-~]+ HTTP\/1/,
    isSo: (ours, theirs) =>
      stricter(ours, theirs) || otherwise(ours, theirs),
  },
  {
    what: "expects nothing of an empty Expect",
    reason: "RFC 9110, section 5.6.1",
    example: get("Expect:"),
    bytes: /expect:[\t ,]*\r\n/i,
    isSo: (_ours, theirs) => theirs.statuses.includes(417),
  },
  {
    what: "answers 417 when one of two expectations is none that it knows",
    reason: "RFC 9110, section 10.1.1",
    example: get("Expect: 100-continue, x"),
    bytes: /expect:[^\r\n]*,|expect:[\s\S]*expect:/i,
    isSo: (ours) => ours.statuses.includes(417),
  },
  {
    what: "takes a tab behind a length for white space",
    only: 20,
    reason: "RFC 9110, section 5.6.3",
    example: `${get("Content-Length: 3\t")}abc`,
    bytes: /content-length:[^\r\n]*\t\r/i,
    isSo: looser,
  },
  {
    what: "answers the good request that comes together with a bad one",
    reason: "RFC 9112, section 9.3.2",
    example: `${get()}\0`,
    bytes: /./,
    isSo: (ours, theirs) =>
      isRefusal(ours) &&
      isRefusal(theirs) &&
      theirs.statuses.length < ours.statuses.length &&
      isBeginning(theirs.requests, ours.requests),
  },
  {
    what: "carries nothing out behind the answer that closes",
    reason: "RFC 9112, section 9.6",
    example: `${get("Expect: x", CHUNKED)}x\r\n`,
    bytes: /expect:/i,
    isSo: (ours, theirs) =>
      !ours.isOpen &&
      `${theirs.statuses}`.startsWith(`${ours.statuses},`) &&
      isBeginning(ours.requests, theirs.requests),
  },
];

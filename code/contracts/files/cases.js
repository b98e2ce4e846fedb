/**
 * What a folder's files are answered with: `[target, expected, request]`.
 * In a request's fields `<etag>` is the tag of the file and `<date>` its
 * Last-Modified. The folder is that of tree.js, below `/static/`.
 *
 * @typedef {object} Expected
 * @property {number} statusCode
 * @property {string} [body]
 * @property {Record<string, string | null>} [fields] `null`: not there
 *
 * @typedef {object} Asked
 * @property {string} [method] GET if not given
 * @property {Record<string, string>} [fields]
 *
 * @typedef {[target: string, expected: Expected, asked?: Asked]} FileCase
 *
 * @typedef {object} FileGroup
 * @property {string} name
 * @property {string} section of the standard, or of the chapter
 * @property {FileCase[]} cases
 */

const TEN = "0123456789";

/** @param {string} range @returns {Asked} */
const range = (range) => ({ fields: { range } });

/** @param {number} first @param {number} last @returns {Expected} */
const part = (first, last) => ({
  statusCode: 206,
  body: TEN.slice(first, last + 1),
  fields: {
    "content-range": `bytes ${first}-${last}/10`,
    "content-length": String(last - first + 1),
  },
});

/** @type {Expected} */
const WHOLE = {
  statusCode: 200,
  body: TEN,
  fields: { "content-range": null, "content-length": "10" },
};

/** @type {Expected} */
const NOT_IN_IT = {
  statusCode: 416,
  fields: { "content-range": "bytes */10" },
};

/** @type {Expected} */
const MISSING = { statusCode: 404 };

/** @type {Expected} */
const NO_PATH = { statusCode: 400 };

/** @param {Record<string, string>} fields @returns {Asked} */
const withFields = (fields) => ({ fields });

const TEN_FILE = "/static/ten.txt";

/** @type {FileGroup[]} */
export const FILE_GROUPS = [
  {
    name: "a file is sent with what it is",
    section: "RFC 9110, section 8",
    cases: [
      [
        TEN_FILE,
        {
          statusCode: 200,
          body: TEN,
          fields: {
            "content-type": "text/plain; charset=utf-8",
            "content-length": "10",
            "accept-ranges": "bytes",
            "x-content-type-options": "nosniff",
            "cache-control": "max-age=0",
          },
        },
      ],
      [
        TEN_FILE,
        { statusCode: 200, body: "", fields: { "content-length": "10" } },
        { method: "HEAD" },
      ],
      [TEN_FILE, { statusCode: 405 }, { method: "POST" }],
      [
        "/static/empty.txt",
        { statusCode: 200, body: "", fields: { "content-length": "0" } },
      ],
      [
        "/static/what.unknown",
        {
          statusCode: 200,
          fields: { "content-type": "application/octet-stream" },
        },
      ],
      [
        "/static/UPPER.HTML",
        {
          statusCode: 200,
          fields: { "content-type": "text/html; charset=utf-8" },
        },
      ],
      [
        "/static/large.bin",
        { statusCode: 200, fields: { "content-length": "3000000" } },
      ],
    ],
  },
  {
    name: "a name is decoded once",
    section: "RFC 3986, section 2.4",
    cases: [
      ["/static/a%20b.txt", { statusCode: 200, body: "space\n" }],
      ["/static/caf%C3%A9.txt", { statusCode: 200, body: "accent\n" }],
      ["/static/caf%c3%a9.txt", { statusCode: 200, body: "accent\n" }],
      ["/static/100%25.txt", { statusCode: 200, body: "percent\n" }],
      ["/static/100%2525.txt", MISSING],
      ["/static/%74en.txt", WHOLE],
      ["/static/ten%2Etxt", WHOLE],
      ["/static/%E2%98%83.txt", MISSING],
      ["/static/%ff.txt", NO_PATH],
      ["/static/%", NO_PATH],
    ],
  },
  {
    name: "no name leads out",
    section: "Which names are files",
    cases: [
      ["/static/../secret.txt", NO_PATH],
      ["/static/%2e%2e/secret.txt", NO_PATH],
      ["/static/..%2fsecret.txt", NO_PATH],
      ["/static/..%5csecret.txt", NO_PATH],
      ["/static/%252e%252e/secret.txt", MISSING],
      ["/static/%252e%252e%252fsecret.txt", MISSING],
      ["/static/sub%2Fdeep.txt", MISSING],
      ["/static/sub%5Cdeep.txt", MISSING],
      ["/static//secret.txt", NO_PATH],
      ["/static/%00", NO_PATH],
      ["/static/ten.txt%00.html", NO_PATH],
      ["/static/%2Fetc%2Fpasswd", MISSING],
      ["/static/ten.txt/", MISSING],
      ["/static/ten.txt/x", MISSING],
      [`/static/${"x".repeat(300)}`, MISSING],
    ],
  },
  {
    name: "no link leads out",
    section: "Where a name leads",
    cases: [
      ["/static/link-in.txt", WHOLE],
      ["/static/link-sub/deep.txt", { statusCode: 200, body: "deep\n" }],
      ["/static/link-out.txt", MISSING],
      ["/static/link-out/secret.txt", MISSING],
      ["/static/link-out", MISSING],
      ["/static/link-out/", MISSING],
      ["/static/link-beside/x.txt", MISSING],
      ["/static/link-broken", MISSING],
      ["/static/link-loop", MISSING],
    ],
  },
  {
    name: "what is no file isn't sent, and what is hidden stays hidden",
    section: "Where a name leads",
    cases: [
      ["/static/pipe", MISSING],
      ["/static/null", MISSING],
      ["/static/.env", MISSING],
      ["/static/%2eenv", MISSING],
      ["/static/.git/config", MISSING],
      ["/static/sub/.hidden/x.txt", MISSING],
      ["/static/link-hidden.txt", MISSING],
      ["/static/link-hidden/x.txt", MISSING],
      ["/static/link-hidden", MISSING],
      ["/static/indexed/", MISSING],
      ["/static/link-index/", MISSING],
      [
        "/static/empty.txt",
        { statusCode: 200, body: "", fields: { "content-encoding": null } },
        { fields: { "accept-encoding": "gzip" } },
      ],
      ["/static/nothing.txt", MISSING],
      ["/static/nothing/nothing.txt", MISSING],
    ],
  },
  {
    name: "a folder is its index, behind a slash",
    section: "A folder",
    cases: [
      [
        "/static/sub",
        {
          statusCode: 301,
          fields: {
            location: "/static/sub/",
            "cache-control": "max-age=0",
          },
        },
      ],
      [
        "/static/sub?a=1&b=%2F",
        { statusCode: 301, fields: { location: "/static/sub/?a=1&b=%2F" } },
      ],
      [
        "/static/sub?a=\\",
        { statusCode: 301, fields: { location: "/static/sub/?a=%5C" } },
      ],
      [
        "/static/s%75b",
        { statusCode: 301, fields: { location: "/static/sub/" } },
      ],
      ["/static/sub/", { statusCode: 200, body: "<p>sub\n" }],
      ["/static/sub/?a=1", { statusCode: 200, body: "<p>sub\n" }],
      [
        "/static/what%3F%23",
        { statusCode: 301, fields: { location: "/static/what%3F%23/" } },
      ],
      ["/static/bare", MISSING],
      ["/static/bare/", MISSING],
      ["/static/indexed", MISSING],
      ["/static/", MISSING],
    ],
  },
  {
    name: "a range is a part",
    section: "RFC 9110, section 14.1.2",
    cases: [
      [TEN_FILE, part(0, 0), range("bytes=0-0")],
      [TEN_FILE, part(2, 4), range("bytes=2-4")],
      [TEN_FILE, part(0, 9), range("bytes=0-9")],
      [TEN_FILE, part(9, 9), range("bytes=9-9")],
      [TEN_FILE, part(4, 9), range("bytes=4-")],
      [TEN_FILE, part(0, 9), range("bytes=0-")],
      [TEN_FILE, part(7, 9), range("bytes=-3")],
      [TEN_FILE, part(0, 9), range("bytes=-10")],
      [TEN_FILE, part(0, 9), range("bytes=-99")],
      [TEN_FILE, part(5, 9), range("bytes=5-99")],
      [TEN_FILE, part(0, 9), range(`bytes=0-${"9".repeat(22)}`)],
      [TEN_FILE, part(0, 9), range(`bytes=-${"9".repeat(400)}`)],
      [TEN_FILE, part(0, 1), range("Bytes=0-1")],
      [TEN_FILE, part(0, 1), range("bytes=, 0-1 ,")],
      ["/static/link-in.txt", part(3, 5), range("bytes=3-5")],
    ],
  },
  {
    name: "a range without a byte of the file is a 416",
    section: "RFC 9110, section 15.5.17",
    cases: [
      [TEN_FILE, NOT_IN_IT, range("bytes=10-")],
      [TEN_FILE, NOT_IN_IT, range("bytes=10-10")],
      [TEN_FILE, NOT_IN_IT, range("bytes=99-100")],
      [TEN_FILE, NOT_IN_IT, range(`bytes=${"9".repeat(400)}-`)],
      [
        TEN_FILE,
        NOT_IN_IT,
        range(`bytes=${"9".repeat(20)}-${"9".repeat(20)}`),
      ],
      [TEN_FILE, NOT_IN_IT, range("bytes=-0")],
    ],
  },
  {
    name: "what is no single range of bytes is ignored",
    section: "RFC 9110, sections 14.1.1 and 14.2",
    cases: [
      [TEN_FILE, WHOLE, range("bytes=5-2")],
      [TEN_FILE, WHOLE, range("bytes=a-b")],
      [TEN_FILE, WHOLE, range("bytes=1-2x")],
      [TEN_FILE, WHOLE, range("bytes=-")],
      [TEN_FILE, WHOLE, range("bytes=")],
      [TEN_FILE, WHOLE, range("bytes")],
      [TEN_FILE, WHOLE, range("bytes=--1")],
      [TEN_FILE, WHOLE, range("bytes=+1-2")],
      [TEN_FILE, WHOLE, range("bytes=1e0-2")],
      [TEN_FILE, WHOLE, range("bytes=0x1-2")],
      [TEN_FILE, WHOLE, range("bytes = 0-1")],
      [TEN_FILE, WHOLE, range("items=0-1")],
      [TEN_FILE, WHOLE, range("bytes=0-1,3-4")],
      [TEN_FILE, WHOLE, range(`bytes=${Array(200).fill("0-").join(",")}`)],
      [
        TEN_FILE,
        { ...WHOLE, body: "" },
        { method: "HEAD", ...range("bytes=0-1") },
      ],
      [
        "/static/empty.txt",
        { statusCode: 200, body: "" },
        range("bytes=0-"),
      ],
      [
        "/static/empty.txt",
        { statusCode: 200, body: "" },
        range("bytes=-1"),
      ],
    ],
  },
  {
    name: "If-Range has to be true to the byte",
    section: "RFC 9110, section 13.1.5",
    cases: [
      [
        TEN_FILE,
        part(2, 4),
        withFields({ range: "bytes=2-4", "if-range": "<etag>" }),
      ],
      // Our files all have a tag. A date can't tell two changes within one
      // second apart, so that it is a weak validator (section 8.8.2.2).
      [
        TEN_FILE,
        WHOLE,
        withFields({ range: "bytes=2-4", "if-range": "<date>" }),
      ],
      [
        TEN_FILE,
        WHOLE,
        withFields({ range: "bytes=2-4", "if-range": '"no"' }),
      ],
      [
        TEN_FILE,
        WHOLE,
        withFields({ range: "bytes=2-4", "if-range": "W/<etag>" }),
      ],
      [
        TEN_FILE,
        WHOLE,
        withFields({ range: "bytes=2-4", "if-range": "<later>" }),
      ],
      [
        TEN_FILE,
        WHOLE,
        withFields({ range: "bytes=2-4", "if-range": "<earlier>" }),
      ],
      [
        TEN_FILE,
        WHOLE,
        withFields({ range: "bytes=2-4", "if-range": "rubbish" }),
      ],
      [
        TEN_FILE,
        WHOLE,
        withFields({ range: "bytes=99-", "if-range": '"no"' }),
      ],
      [TEN_FILE, WHOLE, withFields({ "if-range": "<etag>" })],
    ],
  },
  {
    name: "preconditions come before the range",
    section: "RFC 9110, section 13.2.2",
    cases: [
      [
        TEN_FILE,
        { statusCode: 304, body: "" },
        withFields({ "if-none-match": "<etag>" }),
      ],
      [
        TEN_FILE,
        { statusCode: 304 },
        withFields({ "if-none-match": '"no", W/<etag>' }),
      ],
      [TEN_FILE, { statusCode: 304 }, withFields({ "if-none-match": "*" })],
      [
        TEN_FILE,
        { statusCode: 304 },
        withFields({ "if-modified-since": "<date>" }),
      ],
      [
        TEN_FILE,
        { statusCode: 304 },
        withFields({ "if-modified-since": "<later>" }),
      ],
      [TEN_FILE, WHOLE, withFields({ "if-modified-since": "<earlier>" })],
      [
        TEN_FILE,
        WHOLE,
        withFields({
          "if-none-match": '"no"',
          "if-modified-since": "<later>",
        }),
      ],
      [TEN_FILE, { statusCode: 412 }, withFields({ "if-match": '"no"' })],
      [
        TEN_FILE,
        { statusCode: 412 },
        withFields({ "if-match": "W/<etag>" }),
      ],
      [TEN_FILE, WHOLE, withFields({ "if-match": "<etag>" })],
      [
        TEN_FILE,
        { statusCode: 412 },
        withFields({ "if-unmodified-since": "<earlier>" }),
      ],
      [TEN_FILE, WHOLE, withFields({ "if-unmodified-since": "<date>" })],
      [
        TEN_FILE,
        { statusCode: 304 },
        withFields({ range: "bytes=2-4", "if-none-match": "<etag>" }),
      ],
      [
        TEN_FILE,
        { statusCode: 412 },
        withFields({ range: "bytes=99-", "if-match": '"no"' }),
      ],
      [
        TEN_FILE,
        part(2, 4),
        withFields({ range: "bytes=2-4", "if-match": "<etag>" }),
      ],
      [
        TEN_FILE,
        NOT_IN_IT,
        withFields({ range: "bytes=99-", "if-none-match": '"no"' }),
      ],
      [
        TEN_FILE,
        {
          statusCode: 304,
          fields: { "cache-control": "max-age=0", "content-type": null },
        },
        withFields({ "if-none-match": "<etag>" }),
      ],
    ],
  },
  {
    name: "a sibling is sent to whoever wants it",
    section: "RFC 9110, section 12.5.3",
    cases: [
      ...["gzip, br", "br", "*", "gzip;q=0.5, br", "BR"].map(
        sibling("br", "made with brotli\n"),
      ),
      ...["gzip", "br;q=0, gzip", "gzip, br;q=0.5", "*, br;q=0"].map(
        sibling("gzip", "made with gzip\n"),
      ),
      ...[
        "",
        "identity",
        "deflate",
        "br;q=0",
        "*;q=0",
        "identity, br;q=0.5",
      ].map(sibling(null, "<p>page\n")),
      [
        "/static/page.html",
        {
          statusCode: 200,
          body: "<p>page\n",
          fields: { vary: "accept-encoding", "content-encoding": null },
        },
      ],
      [
        "/static/page.html",
        {
          statusCode: 206,
          body: "made",
          fields: { "content-encoding": "br" },
        },
        withFields({ "accept-encoding": "br", range: "bytes=0-3" }),
      ],
      [
        "/static/stale.txt",
        {
          statusCode: 200,
          body: "new\n",
          fields: { "content-encoding": null },
        },
        withFields({ "accept-encoding": "br" }),
      ],
      [
        "/static/stale.txt",
        {
          statusCode: 200,
          body: "new\n",
          fields: { "content-encoding": null },
        },
        withFields({ "accept-encoding": "gzip" }),
      ],
      [
        "/static/same-time.txt",
        {
          statusCode: 200,
          body: "made with gzip\n",
          fields: { "content-encoding": "gzip" },
        },
        withFields({ "accept-encoding": "gzip" }),
      ],
      [
        "/static/linked.txt",
        {
          statusCode: 200,
          body: "plain\n",
          fields: { "content-encoding": null },
        },
        withFields({ "accept-encoding": "br" }),
      ],
    ],
  },
];

/**
 * @param {string | null} coding
 * @param {string} body
 * @returns {(accepted: string) => FileCase}
 */
function sibling(coding, body) {
  return (accepted) => [
    "/static/page.html",
    {
      statusCode: 200,
      body,
      fields: {
        "content-encoding": coding,
        "content-type": "text/html; charset=utf-8",
        vary: "accept-encoding",
      },
    },
    withFields({ "accept-encoding": accepted }),
  ];
}

/**
 * The labs. A chapter has one in its place by a comment of its own:
 * `<!-- lab: radix-tree -->`. What a lab needs of its milestone stands here and
 * nowhere else: the files that it runs, wherever below lib/ they lie, and the
 * private names that it reads in them.
 *
 * @typedef {object} LabDefinition
 * @property {"tree" | "pieces" | "refusals" | "overload"} kind
 * @property {string} milestone the folder in code/ whose files the lab runs
 * @property {string} title
 * @property {string} note what the figure shows that stands in its place
 *   without scripts
 * @property {string[]} modules the files, by their names without `.js`
 * @property {Record<string, Record<string, string>>} reads for a file the
 *   private names, by what the lab calls them
 */

/**
 * @typedef {object} Example what a tree's lab begins with
 * @property {string} title
 * @property {string[]} routes as `GET /users/:id`
 * @property {string} suggestion a pattern to add
 * @property {string} path one to ask for
 */

export const treeLab = {
  kind: /** @type {const} */ ("tree"),
  note: "The tree that a lab begins with here. It runs with JavaScript.",
  modules: ["judge", "match", "print", "route", "router"],
  reads: { router: { root: "#root" } },
};

/** @satisfies {Record<string, LabDefinition & Example>} */
export const trees = {
  "radix-tree": {
    ...treeLab,
    milestone: "ch08-the-radix-tree",
    title: "The tree of velocy 0.8.0",
    routes: ["GET /users/me", "GET /things", "GET /users/me/posts"],
    suggestion: "/users",
    path: "/users/me/posts",
  },
  explain: {
    ...treeLab,
    milestone: "ch09-parameters-and-wildcards",
    title: "The tree of velocy 0.9.0",
    routes: [
      "GET /users/:id",
      "GET /users/me",
      "GET /users/mia",
      "GET /users/:user/posts",
      "GET /files/*path",
      "POST /files/*path",
    ],
    suggestion: "/users/*rest",
    path: "/users/max",
  },
};

/**
 * @typedef {object} Bytes something to begin with
 * @property {string} name
 * @property {string} text with escapes, as raw.js takes it
 * @property {number[]} cuts after how many bytes
 */

/** @satisfies {LabDefinition & { examples: Bytes[] }} */
export const pieces = {
  kind: /** @type {const} */ ("pieces"),
  milestone: "ch03-bytes-arrive-in-pieces",
  title: "Feed the parser",
  note: "The parser with two of three pieces. Where JavaScript runs, you cut and feed it yourself.",
  modules: ["request-parser"],
  reads: {
    "request-parser": { state: "#state", line: "#line", pieces: "#pieces", missing: "#missing" },
  },
  examples: [
    {
      name: "a body with a length",
      text: "POST /greet HTTP/1.1\\r\\nHost: x\\r\\nContent-Length: 4\\r\\n\\r\\nZoë",
      cuts: [14, 55],
    },
    { name: "no body", text: "GET /one HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n", cuts: [11] },
    {
      name: "a body in chunks",
      text:
        "PUT /all HTTP/1.1\\r\\nHost: x\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n" +
        "4\\r\\nZoë\\r\\n0\\r\\n\\r\\n",
      cuts: [56, 63],
    },
    {
      name: "two requests",
      text:
        "GET /one HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n" + "GET /two HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n",
      cuts: [40],
    },
  ],
};

/**
 * @typedef {object} Attack something to begin with
 * @property {string} name
 * @property {string} text as raw.js takes it
 */

/** @satisfies {LabDefinition & { examples: Attack[] }} */
export const refusals = {
  kind: /** @type {const} */ ("refusals"),
  milestone: "ch04-never-trust-a-client",
  title: "Attack the parser",
  note: "What the parser says to each of them. Where JavaScript runs, you send bytes of your own.",
  modules: ["limits", "request-parser"],
  reads: {},
  examples: [
    {
      name: "a length and a coding",
      text:
        "'POST / HTTP/1.1\\r\\nHost: x\\r\\nContent-Length: 37\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n" +
        "0\\r\\n\\r\\nGET /admin HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n'",
    },
    {
      name: "two lengths",
      text: "'POST / HTTP/1.1\\r\\nHost: x\\r\\nContent-Length: 5\\r\\nContent-Length: 5\\r\\n\\r\\nhello'",
    },
    {
      name: "chunked, but not last",
      text: "'POST / HTTP/1.1\\r\\nHost: x\\r\\nTransfer-Encoding: chunked, identity\\r\\n\\r\\n'",
    },
    {
      name: "a space before the colon",
      text: "'POST / HTTP/1.1\\r\\nHost: x\\r\\nTransfer-Encoding : chunked\\r\\n\\r\\n'",
    },
    {
      name: "a chunk size with 0x",
      text:
        "'POST / HTTP/1.1\\r\\nHost: x\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n" +
        "0x5\\r\\nhello\\r\\n0\\r\\n\\r\\n'",
    },
    { name: "the greeting of TLS", text: "'\\x16\\x03\\x01\\x02\\x00\\x01'" },
    { name: "an LF without a CR", text: "'GET / HTTP/1.1\\nHost: x\\n\\n'" },
    {
      name: "a value without an end",
      text: "'GET / HTTP/1.1\\r\\nHost: x\\r\\nX: a' '100000* ' 'b\\r\\n\\r\\n'",
    },
    {
      name: "a path without an end",
      text: "'GET /' '5000000*a' ' HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n'",
    },
    { name: "101 fields", text: "'GET / HTTP/1.1\\r\\n' '101*X: y\\r\\n'" },
    {
      name: "a body of a terabyte",
      text: "'POST / HTTP/1.1\\r\\nHost: x\\r\\nContent-Length: 1000000000000\\r\\n\\r\\n'",
    },
    { name: "no Host", text: "'GET / HTTP/1.1\\r\\n\\r\\n'" },
    { name: "a method of its own", text: "'BREW /coffee HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n'" },
    { name: "another HTTP", text: "'GET / HTTP/2.0\\r\\n\\r\\n'" },
  ],
};

/** @satisfies {LabDefinition} */
export const overload = {
  kind: /** @type {const} */ ("overload"),
  milestone: "ch19-overload",
  title: "Too many requests",
  note: "Goodput by load, as the simulation has it. Where JavaScript runs, you choose the load and the line.",
  modules: ["random", "simulate"],
  reads: {},
};

/** @type {Record<string, LabDefinition>} */
export const labs = { ...trees, pieces, refusals, overload };

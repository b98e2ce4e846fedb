import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { cases, groups } from "../../code/contracts/http/cases.js";
import { compare, short } from "../../code/contracts/http/compare.js";
import { createServer } from "../../code/contracts/http/node-http.js";
import { startServer } from "../../code/contracts/http/start.js";

/** The sections that the cases come from, as the RFCs title them. */
const SECTIONS = {
  "RFC 5789": { 2: "The PATCH Method" },
  "RFC 6265": { 5.4: "The Cookie Header" },
  "RFC 6585": { 5: "431 Request Header Fields Too Large" },
  "RFC 9110": {
    2.5: "Protocol Version",
    "4.2.1": "http URI Scheme",
    "4.2.3": "http(s) Normalization and Comparison",
    "4.2.4": "Deprecation of userinfo in http(s) URIs",
    5.1: "Field Names",
    5.3: "Field Order",
    5.4: "Field Limits",
    5.5: "Field Values",
    "5.6.1": "Lists (#rule ABNF Extension)",
    "5.6.2": "Tokens",
    "5.6.3": "Whitespace",
    "5.6.4": "Quoted Strings",
    6.2: "Control Data",
    "6.5.1": "Limitations on Use of Trailers",
    "6.6.1": "Date",
    7.2: "Host and :authority",
    7.4: "Rejecting Misdirected Requests",
    "7.6.1": "Connection",
    8.6: "Content-Length",
    9.1: "Overview (of methods)",
    "9.3.1": "GET",
    "9.3.2": "HEAD",
    "9.3.3": "POST",
    "9.3.4": "PUT",
    "9.3.5": "DELETE",
    "9.3.6": "CONNECT",
    "9.3.7": "OPTIONS",
    "9.3.8": "TRACE",
    "10.1.1": "Expect",
    "10.2.4": "Server",
    "15.5.9": "408 Request Timeout",
    "15.5.14": "413 Content Too Large",
    "15.5.15": "414 URI Too Long",
    "15.5.18": "417 Expectation Failed",
    "15.6.2": "501 Not Implemented",
    "15.6.6": "505 HTTP Version Not Supported",
  },
  "RFC 9112": {
    2.2: "Message Parsing",
    2.3: "HTTP Version",
    3: "Request Line",
    3.1: "Method",
    3.2: "Request Target",
    "3.2.1": "origin-form",
    "3.2.2": "absolute-form",
    "3.2.3": "authority-form",
    "3.2.4": "asterisk-form",
    5: "Field Syntax",
    5.1: "Field Line Parsing",
    5.2: "Obsolete Line Folding",
    6: "Message Body",
    6.1: "Transfer-Encoding",
    6.3: "Message Body Length",
    7: "Transfer Codings",
    7.1: "Chunked Transfer Coding",
    "7.1.1": "Chunk Extensions",
    "7.1.2": "Chunked Trailer Section",
    "7.1.3": "Decoding Chunked",
    8: "Handling Incomplete Messages",
    9.3: "Persistence",
    "9.3.2": "Pipelining",
    9.5: "Failures and Timeouts",
    9.6: "Tear-down",
    11.2: "Request Smuggling",
  },
  "RFC 9113": { 3.4: "HTTP/2 Connection Preface" },
};

describe("The cases of the HTTP contract", () => {
  it("are at least a hundred and fifty", () => {
    assert.ok(cases.length >= 150, String(cases.length));
  });

  it("each have a name of their own", () => {
    const names = cases.map(({ name }) => name);
    assert.deepEqual([...new Set(names)], names);
  });

  it("each come from a section that exists, and all are listed", () => {
    const listed = Object.entries(SECTIONS).flatMap(([rfc, sections]) =>
      Object.keys(sections).map((number) => `${rfc}, section ${number}`),
    );
    const used = new Set(cases.map(({ section }) => section));
    assert.deepEqual([...used].sort(), listed.sort());
  });

  it("cover every status that a server of the book gives", () => {
    const statuses = new Set(cases.flatMap(({ expect }) => expect.flatMap(({ status }) => status)));
    for (const status of [100, 200, 400, 408, 413, 414, 417, 431, 501, 505]) {
      assert.ok(statuses.has(status), String(status));
    }
  });

  it("begin in each of the chapters 2 to 4", () => {
    for (const chapter of [2, 3, 4]) {
      assert.ok(cases.some(({ since }) => since === chapter));
    }
  });

  it("say 408 only where a limit makes that quick", () => {
    for (const { name, expect, limits } of cases) {
      if (!expect.some(({ status }) => status === 408)) continue;
      const times = [limits?.headTimeout, limits?.requestTimeout];
      assert.ok(
        times.some((time) => time !== undefined && time < 500),
        name,
      );
    }
  });
});

describe("The comparison", () => {
  const start = startServer(createServer);

  it("finds no difference between a server and itself", async () => {
    const chosen = cases.filter(({ group }) => group === "pipelining");
    assert.deepEqual(await compare(start, start, chosen), []);
  });

  it("finds what another server answers otherwise", async () => {
    const chosen = cases.filter(({ group }) => group === groups[0]);
    const lame = startServer(() =>
      createServer().on("request", (_req, res) => {
        res.shouldKeepAlive = false;
      }),
    );
    const differences = await compare(start, lame, chosen);
    const [{ ours, theirs }] = differences;
    assert.deepEqual({ ours, theirs }, { ours: "200", theirs: "200, closes" });
  });

  it("complains of a kind of difference that is no more", () => {
    assert.throws(() => short([]), /no case is: good requests and a bad one/);
  });

  it("counts the differences that are of no kind", () => {
    /** @type {[name: string, ours: string, theirs: string, group?: string][]} */
    const all = [
      ["answers what came before the mistake", "200, 400, closes", "400, closes"],
      ["answers what comes before one that says close", "200, closes", "400, closes"],
      ["refuses two Hosts", "400, closes", "200"],
      ["refuses chunks in version 1.0", "400, closes", "200", "framing"],
      ["refuses a length of more than 1 MiB", "413, closes", "200"],
      ["answers version 0.9 with 505", "505, closes", "200", "methods and versions"],
      ["treats 1.9 as 1.1", "200", "400, closes", "methods and versions"],
      ["refuses two spaces", "400, closes", "200"],
      ["does not tunnel", "501, closes", "400, closes"],
    ];
    const differences = all.map(([name, ours, theirs, group]) => ({
      aCase: /** @type {any} */ ({ name, group }),
      ours,
      theirs,
    }));
    assert.match(short(differences), /\| something else \| – \| – \| 2 \|$/);
  });
});

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { normalise, RULES } from "../../tools/walk/normalise.js";

/** Pairs that are the same to the walker. */
const SAME = [
  ["Date: Sun, 06 Nov 1994 08:49:37 GMT", "Date: Fri, 20 Nov 2026 10:00:00 GMT"],
  ['{"at":"2026-11-20T10:00:00.000Z"}', '{"at":"2027-01-01T00:00:00Z"}'],
  ["worker (pid 123) is up", "worker (pid 45678) is up"],
  ["(node:123) Warning: x", "(node:9) Warning: x"],
  ['{"pid":1}', '{"pid":22}'],
  ["✔ answers (1.234ms)", "✔ answers (12.5ms)"],
  ["duration_ms 3", "duration_ms 12.25"],
  ["timed out after 2001 milliseconds", "timed out after 2000 milliseconds"],
  ["from 127.0.0.1:45678", "from 127.0.0.1:51234"],
  ["remotePort: 45678", "remotePort: 51234"],
  ["from ::ffff:127.0.0.1", "from ::1"],
  ["address already in use :::3000", "address already in use 0.0.0.0:3000"],
  ["  address: '::',", "  address: '0.0.0.0',"],
  ["Node.js v24.21.0", "Node.js v22.1.0"],
  ["User-Agent: curl/7.88.1", "User-Agent: curl/8.14.1"],
  ["curl: (7) Couldn't connect to server", "curl: (7) Could not connect to server"],
  ["  errno: -98,", "  errno: -48,"],
  ["node:events:497", "node:events:502"],
];

/** Pairs that the walker has to tell apart. */
const DIFFERENT = [
  ["Content-Length: 12", "Content-Length: 13"],
  ["HTTP/1.1 200 OK", "HTTP/1.1 201 OK"],
  ["http://localhost:3000", "http://localhost:3001"],
  ["Date: Sun, 06 Nov 1994 08:49:37 GMT", "Date: Sun Nov 06 1994 08:49:37"],
  ["closes after 5 s", "closes after 10 s"],
  ["idleTimeout 5000 ms", "idleTimeout 500 ms"],
  ["velocy 0.6.0", "velocy 0.7.0"],
  ["", " "],
  ["a ", "a"],
];

const text = (/** @type {string[]} */ lines) => normalise(lines).map((line) => line.text);

describe("normalising a transcript", () => {
  for (const [one, other] of SAME) {
    it(`takes \`${one}\` for \`${other}\``, () => assert.deepEqual(text([one]), text([other])));
  }

  for (const [one, other] of DIFFERENT) {
    it(`tells \`${one}\` from \`${other}\``, () => assert.notDeepEqual(text([one]), text([other])));
  }

  it("says of each rule what it is for", () => {
    for (const { what } of RULES) assert.ok(what.length > 0);
  });

  it("makes one line of a stack inside Node, however long", () => {
    const short = ["Error: x", "    at emit (node:events:1:2) {", "  code: 1"];
    const long = [
      "Error: x",
      "    at Server.listen (node:net:1:2)",
      "    at emit (node:events:3:4) {",
      "  code: 1",
    ];
    assert.deepEqual(text(short), text(long));
    assert.deepEqual(
      normalise(long).map((line) => line.index),
      [0, 2, 3],
    );
  });

  it("keeps the frames of the reader's own files", () => {
    const frame = "    at parse (file:///home/you/velocy/server.js:12:5)";
    assert.deepEqual(text([frame]), [frame]);
  });
});

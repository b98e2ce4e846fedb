import assert from "node:assert/strict";
import { HttpError } from "./lib/errors.js";
import { RequestParser } from "./lib/request-parser.js";

const message = Buffer.from(
  "POST /greet HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nZoë" +
    "PUT /all HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n" +
    "4;quality=high\r\nZoë\r\nB\r\n and Ada 1!\r\n0\r\nSum: 7\r\n\r\n" +
    "GET /two HTTP/1.1\r\nHost: x\r\n\r\n",
);
const sent = [
  ["POST", "/greet", { host: "x", "content-length": "4" }, "Zoë"],
  [
    "PUT",
    "/all",
    { host: "x", "transfer-encoding": "chunked" },
    "Zoë and Ada 1!",
  ],
  ["GET", "/two", { host: "x" }, ""],
];
const chunked =
  "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
const wrong = [
  "pizza\r\n",
  "GET / HTTP/1.1\r\nHost: x\n\r\n",
  "GET / HTTP/1.1\r\nHost : x\r\n",
  "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0x5\r\n\r\n",
  `${chunked}five\r\n`,
  `${chunked}3\r\nhello\r\n`,
  `${chunked}0\r\nSum 7\r\n`,
];

/** @param {Buffer[]} pieces */
function read(pieces) {
  const requests = [];
  const parser = new RequestParser({
    onRequest: ({ method, target, fields, body }) => {
      requests.push([method, target, { ...fields }, body.toString()]);
    },
  });
  for (const piece of pieces) parser.push(piece);
  return requests;
}

/**
 * @param {Buffer[]} pieces
 * @param {string} where they were cut
 */
function check(pieces, where) {
  try {
    assert.deepEqual(read(pieces), sent);
  } catch (err) {
    console.log(`cut after ${where}: ${err.message}`);
    process.exit(1);
  }
}

/** @param {Buffer[]} pieces */
function isRefused(pieces) {
  try {
    read(pieces);
  } catch (err) {
    if (err instanceof HttpError) return true;
    throw err;
  }
  return false;
}

check([message], "no byte");
for (let cut = 1; cut < message.length; cut++) {
  const halves = [message.subarray(0, cut), message.subarray(cut)];
  check(halves, `byte ${cut}`);
}
const bytes = [...message].map((byte) => Buffer.from([byte]));
check(bytes, "every byte");
for (const text of wrong) {
  for (let cut = 0; cut < text.length; cut++) {
    const halves = [text.slice(0, cut), text.slice(cut)];
    if (isRefused(halves.map((half) => Buffer.from(half)))) continue;
    console.log(`not refused: ${JSON.stringify(text)}`);
    process.exit(1);
  }
}
console.log(`${sent.length} requests, wherever we cut`);

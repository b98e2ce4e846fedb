/**
 * How fast chapter 13's velocy reads a multipart body with a file, or with
 * many small fields, beside busboy, from memory and in pieces of 64 KiB. The
 * fields come first, and again behind the files: V8 compiles busboy's parsers
 * of heads only when they have met a second name, such as "filename".
 *
 *     node benchmarks/experiments/multipart.js [--machine NAME]
 *
 * The two take turns. What is compared is the ratio within a round.
 */
import { randomBytes } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import process from "node:process";
import { Readable } from "node:stream";
import { parseArgs } from "node:util";
import { describeMachine } from "../lib/machine.js";
import { estimate } from "../lib/statistics.js";

const BOUNDARY = "----WebKitFormBoundary7MA4YWxkTrZu0gW";
const MEGABYTES = 64;
const CHUNK = 64 * 1024;
const ROUNDS = 15;
/** A shorter body is read several times in a round. */
const LEAST_BYTES = 4e6;
const VELOCY = new URL("../../code/ch13-bodies/lib/request/multipart.js", import.meta.url);
const RESULTS = new URL("../results/", import.meta.url);

const { partLimits, readParts } = await import(VELOCY.href);
/** It has no types. */
const busboyName = "busboy";
const { default: busboy } = await import(busboyName);

const CONTENTS = {
  "random-bytes": randomBytes(MEGABYTES * 1e6),
  "lines-of-text": Buffer.alloc(MEGABYTES * 1e6, "a line of a file, 1, 2, 3\r\n"),
  zeros: Buffer.alloc(MEGABYTES * 1e6),
};

/** Small fields are another matter: their heads are most of the work. */
const FIELDS = 900;

/** @param {Buffer} content */
function fileOf(content) {
  const head =
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n` +
    "Content-Type: application/octet-stream\r\n\r\n";
  return Buffer.concat([Buffer.from(head), content, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]);
}

function smallFields() {
  const parts = Array.from(
    { length: FIELDS },
    (_, index) =>
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="field${index}"\r\n\r\n${index}\r\n`,
  );
  return Buffer.from(`${parts.join("")}--${BOUNDARY}--\r\n`);
}

/** @param {Buffer} body */
function chunksOf(body) {
  const chunks = [];
  for (let at = 0; at < body.length; at += CHUNK) chunks.push(body.subarray(at, at + CHUNK));
  return chunks;
}

/** @type {Record<string, (chunks: Buffer[]) => Promise<number>>} */
const readers = {
  velocy: async (chunks) => {
    let bytes = 0;
    for await (const part of readParts(Readable.from(chunks), BOUNDARY, partLimits)) {
      // A field is text, as busboy gives it; a file is bytes.
      if (part.filename === null) bytes += (await part.text()).length;
      else for await (const piece of part) bytes += piece.length;
    }
    return bytes;
  },
  busboy: (chunks) =>
    new Promise((resolve, reject) => {
      let bytes = 0;
      const headers = { "content-type": `multipart/form-data; boundary=${BOUNDARY}` };
      const parser = busboy({ headers });
      parser.on("file", (/** @type {string} */ _name, /** @type {Readable} */ file) => {
        file.on("data", (piece) => {
          bytes += piece.length;
        });
      });
      parser.on("field", (/** @type {string} */ _name, /** @type {string} */ value) => {
        bytes += value.length;
      });
      parser.on("close", () => resolve(bytes));
      parser.on("error", reject);
      Readable.from(chunks).pipe(parser);
    }),
};

/** @param {Buffer} body */
async function compare(body) {
  const chunks = chunksOf(body);
  const repeats = Math.ceil(LEAST_BYTES / body.length);
  /** @type {Record<string, number[]>} */
  const rates = { velocy: [], busboy: [] };
  for (let round = -2; round < ROUNDS; round += 1) {
    const names = Object.keys(readers);
    if (round % 2 === 0) names.reverse();
    const counts = [];
    for (const name of names) {
      const start = performance.now();
      for (let i = 1; i < repeats; i += 1) await readers[name](chunks);
      counts.push(await readers[name](chunks));
      const seconds = (performance.now() - start) / 1000;
      // The first two rounds warm up.
      if (round >= 0) rates[name].push((body.length * repeats) / 1e6 / seconds);
    }
    if (counts[0] !== counts[1]) throw new Error(`read ${counts.join(" and ")} bytes`);
  }
  const ratios = rates.velocy.map((rate, index) => rate / rates.busboy[index]);
  return {
    velocy: estimate(rates.velocy),
    busboy: estimate(rates.busboy),
    ratio: estimate(ratios),
  };
}

const { values } = parseArgs({ options: { machine: { type: "string" } } });
const startedAt = new Date().toISOString();
const where = describeMachine();
/** @type {Record<string, Awaited<ReturnType<typeof compare>>>} */
const derived = {};
const bodies = {
  "small-fields": smallFields(),
  ...Object.fromEntries(Object.entries(CONTENTS).map(([name, content]) => [name, fileOf(content)])),
  "small-fields-later": smallFields(),
};
for (const [name, body] of Object.entries(bodies)) {
  derived[name] = await compare(body);
  const { velocy, busboy: other, ratio } = derived[name];
  console.log(
    `${name.padEnd(18)} velocy ${velocy.median.toFixed(0)} MB/s, ` +
      `busboy ${other.median.toFixed(0)} MB/s, ratio ${ratio.median.toFixed(2)}`,
  );
}
if (values.machine !== undefined) {
  const folder = new URL(`${values.machine}/`, RESULTS);
  mkdirSync(folder, { recursive: true });
  const command = `node benchmarks/experiments/multipart.js --machine ${values.machine}`;
  const settings = { megabytes: MEGABYTES, fields: FIELDS, chunkBytes: CHUNK, rounds: ROUNDS };
  const node = process.version;
  const result = { suite: "multipart", startedAt, command, node, where, settings, derived };
  writeFileSync(new URL("multipart.json", folder), `${JSON.stringify(result, null, 2)}\n`);
}

/**
 * The contract for a logger: whatever is logged is one line of JSON.
 *
 *     testLines((options) => createLogger(options));
 */
import assert from "node:assert/strict";
import { Writable } from "node:stream";
import { describe, test } from "node:test";
import { LINE_GROUPS } from "./cases.js";

/** No line is longer, in characters. */
const LONGEST = 200_000;

/** @param {string} text whether no line may have it: controls, directions */
function isUnsafe(text) {
  const code = text.charCodeAt(0);
  if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return true;
  return /[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/.test(text);
}

/** A stream that keeps what is written to it. */
export class Kept extends Writable {
  text = "";

  /** @param {Buffer} chunk @param {string} _encoding @param {() => void} done */
  _write(chunk, _encoding, done) {
    this.text += chunk;
    done();
  }

  get lines() {
    return linesOf(this.text);
  }
}

/**
 * The lines of a log, each of which has to be JSON.
 *
 * @param {string} text
 * @returns {any[]}
 */
export function linesOf(text) {
  assert.ok(text === "" || text.endsWith("\n"), "the last line is whole");
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

/** @param {(options: object) => any} createLogger */
export function testLines(createLogger) {
  for (const { name, makeCases } of LINE_GROUPS) {
    describe(name, () => {
      for (const [what, message, fields, expected] of makeCases()) {
        test(what, async () => {
          const stream = new Kept();
          const logger = createLogger({
            destination: stream,
            redact: ["IBAN"],
          });
          logger.info(message, fields);
          await logger.close();
          checkText(stream.text);
          const [line, ...others] = stream.lines;
          assert.deepEqual(others, []);
          for (const [key, value] of Object.entries(expected)) {
            assert.deepEqual(line[key], value, key);
          }
        });
      }
    });
  }
}

/** @param {string} text */
export function checkText(text) {
  assert.ok(text.length < LONGEST, `${text.length} characters`);
  assert.deepEqual([...text.slice(0, -1)].filter(isUnsafe), []);
  assert.doesNotMatch(text, /\p{Surrogate}/u);
  assert.doesNotMatch(text, /swordfish|never to be seen/);
}

import assert from "node:assert/strict";
import { Writable } from "node:stream";

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

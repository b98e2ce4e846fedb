import assert from "node:assert/strict";
import { it } from "node:test";
import { cases, groups } from "./cases.js";
import { cutAt, parse } from "./parse.js";
import { toBytes } from "./raw-client.js";

/**
 * @typedef {import("./cases/building-blocks.js").GroupedCase} GroupedCase
 * @typedef {import("./parse.js").RequestParserClass} RequestParserClass
 */

/** A case longer than this is cut at so many places only, evenly spread. */
const MOST_CUTS = 2048;
/** In bytes; for longer ones, as many cuts as make up this much work. */
const WORK = 8 * 1024 ** 2;

/**
 * Checks that it doesn't matter how the bytes of a request arrive: each case
 * of the contract is cut in two at every offset, and into single bytes, and
 * the parser must come to the same requests and the same error.
 *
 * @param {RequestParserClass} RequestParser
 * @param {{ until: number }} options the last chapter whose cases to take
 */
export function splitAnywhere(RequestParser, { until }) {
  const mine = cases.filter(
    (aCase) => aCase.since <= until && isPlain(aCase),
  );
  for (const group of groups) {
    const ofGroup = mine.filter((aCase) => aCase.group === group);
    if (ofGroup.length === 0) continue;
    it(`reads the ${ofGroup.length} cases of "${group}" in any pieces`, () => {
      for (const aCase of ofGroup) checkEverySplit(RequestParser, aCase);
    });
  }
}

/**
 * Whether a case is bytes and nothing else that matters to a parser.
 *
 * @param {GroupedCase} aCase
 */
function isPlain({ send, expect }) {
  const late = expect.some(({ status }) => status === 408);
  return !late && send.some(isBytes);
}

/**
 * @param {RequestParserClass} RequestParser
 * @param {GroupedCase} aCase
 */
function checkEverySplit(RequestParser, { name, send, limits }) {
  const bytes = Buffer.concat(send.filter(isBytes).map(toBytes));
  const whole = parse(RequestParser, [bytes], limits);
  for (const offset of offsetsIn(bytes)) {
    const halves = parse(RequestParser, cutAt(bytes, [offset]), limits);
    assert.deepEqual(halves, whole, `${name}: cut at byte ${offset}`);
  }
  if (bytes.length > MOST_CUTS) return;
  const single = parse(
    RequestParser,
    cutAt(bytes, offsetsIn(bytes)),
    limits,
  );
  assert.deepEqual(single, whole, `${name}: byte by byte`);
}

/** @param {Buffer} bytes */
function offsetsIn({ length }) {
  const most =
    length <= MOST_CUTS ? length : Math.min(MOST_CUTS, WORK / length);
  const step = Math.ceil(length / most);
  const offsets = [];
  for (let offset = 1; offset < length; offset += step)
    offsets.push(offset);
  return offsets;
}

/**
 * @param {import("./cases/building-blocks.js").Step} step
 * @returns {step is string | Uint8Array}
 */
function isBytes(step) {
  return typeof step === "string" || step instanceof Uint8Array;
}

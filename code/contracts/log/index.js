/**
 * The contract for a logger: whatever is logged is one line of JSON.
 *
 *     testLines((options) => createLogger(options));
 *
 * And for the middleware `log()`: each answer has a line, and a trace goes on.
 *
 *     testRequestLines(velocy);
 *     testTraces(velocy);
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { LINE_GROUPS } from "./cases.js";
import { Kept } from "./kept.js";

export { Kept, linesOf } from "./kept.js";
export { testRequestLines } from "./requests.js";
export { testTraces } from "./traces.js";

/** No line is longer, in characters. */
const LONGEST = 200_000;

/** @param {string} text whether no line may have it: controls, directions */
function isUnsafe(text) {
  const code = text.charCodeAt(0);
  if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return true;
  return /[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/.test(text);
}

/** @param {(options: object) => any} createLogger */
export function testLines(createLogger) {
  for (const { name, section, makeCases } of LINE_GROUPS) {
    describe(section ? `${name} (${section})` : name, () => {
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

  test("a line tells its time in UTC (RFC 3339, section 5.6)", async () => {
    const stream = new Kept();
    const logger = createLogger({ destination: stream });
    logger.info("now");
    await logger.close();
    const [{ time }] = stream.lines;
    assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.equal(new Date(time).toISOString(), time);
  });
}

/** @param {string} text */
export function checkText(text) {
  assert.ok(text.length < LONGEST, `${text.length} characters`);
  assert.deepEqual([...text.slice(0, -1)].filter(isUnsafe), []);
  assert.doesNotMatch(text, /\p{Surrogate}/u);
  assert.doesNotMatch(text, /swordfish|never to be seen/);
}

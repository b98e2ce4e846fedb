import { HttpError } from "../errors.js";
import { decodeText } from "./content.js";
import { parseJson } from "./json.js";

const LF = 0x0a;
const MOST_LINE_BYTES = 64 * 1024;

/**
 * Gives the JSON value of each line as soon as the line is whole.
 *
 * @param {AsyncIterable<Buffer>} pieces
 * @returns {AsyncGenerator<any, void>}
 * @throws {HttpError} 400, 413
 */
export async function* readLines(pieces) {
  let rest = Buffer.alloc(0);
  for await (const piece of pieces) {
    rest = Buffer.concat([rest, piece]);
    let start = 0;
    let end = rest.indexOf(LF);
    while (end !== -1) {
      yield* parseLine(rest.subarray(start, end));
      start = end + 1;
      end = rest.indexOf(LF, start);
    }
    rest = rest.subarray(start);
    checkLength(rest);
  }
  yield* parseLine(rest);
}

function* parseLine(line) {
  checkLength(line);
  const text = decodeText(line).trim();
  if (text !== "") yield parseJson(text);
}

function checkLength(line) {
  if (line.length <= MOST_LINE_BYTES) return;
  throw new HttpError(413, "a line is too long");
}

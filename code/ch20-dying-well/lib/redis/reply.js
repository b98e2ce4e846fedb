/** @import { Source } from "./source.js" */

/** What Redis says when it can't do something. */
export class RedisError extends Error {
  name = "RedisError";
  /** Its first word: `OOM`, `NOSCRIPT`, `ERR` */
  code = this.message.split(" ")[0];
}

const MOST_DEPTH = 32;
const MOST_LENGTH = 64 * 1024 * 1024;

/**
 * Reads a reply. Yields where it needs more bytes.
 *
 * @param {Source} source
 * @see https://redis.io/docs/latest/develop/reference/protocol-spec/
 */
export function* readReply(source, depth = 0) {
  if (depth > MOST_DEPTH) throw new Error("the reply is too deep");
  const line = yield* source.line();
  const rest = line.slice(1);
  switch (line[0]) {
    case "+":
      return rest;
    case "-":
      return new RedisError(rest);
    case ":":
      return toInteger(rest);
    case "$":
      return yield* readText(source, rest);
    case "*":
      return yield* readList(source, rest, depth);
    default:
      throw new Error(`${JSON.stringify(line)} is no reply`);
  }
}

// A number above what JavaScript counts exactly stays exact.
function toInteger(text) {
  const number = Number(text);
  if (!/^[+-]?\d+$/.test(text)) throw new Error(`${text} is no number`);
  return Number.isSafeInteger(number) ? number : BigInt(text);
}

// -1 says that there is nothing.
function* readText(source, length) {
  if (length === "-1") return null;
  return yield* source.text(toCount(length));
}

function* readList(source, count, depth) {
  if (count === "-1") return null;
  const list = [];
  const most = toCount(count);
  while (list.length < most) {
    list.push(yield* readReply(source, depth + 1));
  }
  return list;
}

function toCount(text) {
  const count = toInteger(text);
  if (count >= 0 && count <= MOST_LENGTH) return Number(count);
  throw new Error(`${text} is no length`);
}

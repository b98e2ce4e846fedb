/** @import { Source } from "./source.js" */

/** What Redis says when it can't do something. */
export class RedisError extends Error {
  name = "RedisError";
  /** Its first word: `OOM`, `NOSCRIPT`, `ERR` */
  code = this.message.split(" ")[0];
}

/** What Redis sends without being asked. */
export class Push extends Array {}

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
    case "_":
      return null;
    case "*":
      return yield* readList(source, rest, depth);
    case "%":
      return new Map(pairsOf(yield* readList(source, rest, depth, 2)));
    case ">":
      return Push.from(yield* readList(source, rest, depth));
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

// Before RESP 3, -1 said that there is nothing.
function* readText(source, length) {
  if (length === "-1") return null;
  return yield* source.text(toCount(length));
}

function* readList(source, count, depth, size = 1) {
  if (count === "-1") return null;
  const list = [];
  const most = toCount(count) * size;
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

function pairsOf(list) {
  const count = list.length / 2;
  return Array.from({ length: count }, (_, i) =>
    list.slice(2 * i, 2 * i + 2),
  );
}

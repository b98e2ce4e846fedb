import { quietly } from "./quietly.js";

const BAD_DELETE =
  "CLIENT_ERROR bad command line format.  Usage: delete <key> [noreply]";
const BAD_DELTA = "CLIENT_ERROR invalid numeric delta argument";
const BAD_TIME = "CLIENT_ERROR invalid exptime argument";
const BAD_VALUE =
  "CLIENT_ERROR cannot increment or decrement non-numeric value";
const DIGITS = /^\d{1,20}$/;

/** The commands that change what is there: delete, incr, decr, touch. */
export function changing({ store, counts }) {
  const find = (line) =>
    line.next() ? store.find(line.bytes, line.start, line.end) : 0;

  /** The number of 64 bits that a text says, or none. */
  function toNumber(text) {
    if (!DIGITS.test(text)) return;
    const number = BigInt(text);
    return number === BigInt.asUintN(64, number) ? number : undefined;
  }

  function remove(line) {
    const item = find(line);
    if (line.next() && !["0", "noreply"].includes(line.text))
      return BAD_DELETE;
    counts[item === 0 ? "delete_misses" : "delete_hits"]++;
    if (item === 0) return "NOT_FOUND";
    store.remove(item);
    return "DELETED";
  }

  function add(line, name, sign) {
    const item = find(line);
    const delta = line.next() ? toNumber(line.text) : undefined;
    if (delta === undefined) return BAD_DELTA;
    counts[`${name}_${item === 0 ? "misses" : "hits"}`]++;
    if (item === 0) return "NOT_FOUND";
    const value = toNumber(store.copyOf(item).latin1Slice());
    if (value === undefined) return BAD_VALUE;
    const sum = value + sign * delta;
    const text = String(sum < 0n ? 0n : BigInt.asUintN(64, sum));
    store.rewrite(item, Buffer.from(text));
    return text;
  }

  function touch(line) {
    const item = find(line);
    const expires = store.expiryAfter(line.nextTime());
    if (Number.isNaN(expires)) return BAD_TIME;
    counts.cmd_touch++;
    counts[item === 0 ? "touch_misses" : "touch_hits"]++;
    if (item === 0) return "NOT_FOUND";
    store.touch(item, expires);
    return "TOUCHED";
  }

  return {
    delete: quietly(1, 3, remove),
    incr: quietly(2, 3, (line) => add(line, "incr", 1n)),
    decr: quietly(2, 3, (line) => add(line, "decr", -1n)),
    touch: quietly(2, 3, touch),
  };
}

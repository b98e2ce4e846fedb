import { quietly } from "./quietly.js";

const BAD_LINE = "CLIENT_ERROR bad command line format";
const BAD_DELETE = `${BAD_LINE}.  Usage: delete <key> [noreply]`;
const BAD_DELTA = "CLIENT_ERROR invalid numeric delta argument";
const BAD_TIME = "CLIENT_ERROR invalid exptime argument";
const BAD_VALUE =
  "CLIENT_ERROR cannot increment or decrement non-numeric value";
const NO_MEMORY = "SERVER_ERROR out of memory";
const DIGITS = /^\d{1,20}$/;
const AFTER_DELETE = new Set(["", "0", "noreply", "0 noreply"]);

/** The commands that change what is there: delete, incr, decr, touch. */
export function changing({ store, counts }) {
  /** A command of `least` words or more, of which the first is a key. */
  function byKey(least, work) {
    const onLine = (line) => {
      line.next();
      if (line.isTooLong) return BAD_LINE;
      const { bytes, start, end } = line;
      return work(store.find(bytes, start, end), line);
    };
    return quietly(least, 3, onLine, 1);
  }

  /** The number of 64 bits that a text says, or none. */
  function toNumber(text) {
    if (!DIGITS.test(text)) return;
    const number = BigInt(text);
    return number === BigInt.asUintN(64, number) ? number : undefined;
  }

  function remove(item, line) {
    if (!AFTER_DELETE.has(line.rest.join(" "))) return BAD_DELETE;
    counts[item === 0 ? "delete_misses" : "delete_hits"]++;
    if (item === 0) return "NOT_FOUND";
    store.remove(item);
    return "DELETED";
  }

  function add(item, line, name, sign) {
    const delta = line.next() ? toNumber(line.text) : undefined;
    if (delta === undefined) return BAD_DELTA;
    counts[`${name}_${item === 0 ? "misses" : "hits"}`]++;
    if (item === 0) return "NOT_FOUND";
    const value = toNumber(store.copyOf(item).latin1Slice());
    if (value === undefined) return BAD_VALUE;
    const sum = value + sign * delta;
    const text = String(sum < 0n ? 0n : BigInt.asUintN(64, sum));
    const data = Buffer.from(text);
    if (data.length === store.lengthOf(item)) store.overwrite(item, data);
    else if (store.rewrite(item, data) <= 0) return NO_MEMORY;
    return text;
  }

  function touch(item, line) {
    const expires = store.expiryAfter(line.nextTime());
    if (Number.isNaN(expires)) return BAD_TIME;
    counts.cmd_touch++;
    counts[item === 0 ? "touch_misses" : "touch_hits"]++;
    if (item === 0) return "NOT_FOUND";
    store.touch(item, expires);
    return "TOUCHED";
  }

  return {
    delete: byKey(1, remove),
    incr: byKey(2, (item, line) => add(item, line, "incr", 1n)),
    decr: byKey(2, (item, line) => add(item, line, "decr", -1n)),
    touch: byKey(2, touch),
  };
}

import { quietly } from "./quietly.js";

const BAD_LINE = "CLIENT_ERROR bad command line format";
const BAD_DATA = "CLIENT_ERROR bad data chunk";
const TOO_LARGE = "SERVER_ERROR object too large for cache";
const NO_MEMORY = "SERVER_ERROR out of memory storing object";
const MOST_FLAGS = 2 ** 32 - 1;
const MOST_BYTES = 2 ** 31 - 3;
const CRLF = 0x0d0a;

/** The commands that bring data: set, add, replace, append and others. */
export function storage({ store, counts }) {
  const { bytes } = store.slabs;

  function put(old, item) {
    store.link(item, old);
    return "STORED";
  }

  function refuse(item, answer) {
    store.discard(item);
    return answer;
  }

  function join(old, item, first, second) {
    if (old === 0) return refuse(item, "NOT_STORED");
    const data = Buffer.concat([store.copyOf(first), store.copyOf(second)]);
    store.discard(item);
    return failure(store.rewrite(old, data)) ?? "STORED";
  }

  function failure(item) {
    if (item > 0) return;
    counts[item === 0 ? "store_too_large" : "store_no_memory"]++;
    return item === 0 ? TOO_LARGE : NO_MEMORY;
  }

  /** From the item with this key, and the one that came, to the answer. */
  const ways = {
    set: put,
    add: (old, item) => (old ? refuse(item, "NOT_STORED") : put(old, item)),
    replace: (old, item) =>
      old ? put(old, item) : refuse(item, "NOT_STORED"),
    append: (old, item) => join(old, item, old, item),
    prepend: (old, item) => join(old, item, item, old),
    cas(old, item, unique) {
      const name = nameOf(old, unique);
      counts[name]++;
      if (name === "cas_hits") return put(old, item);
      return refuse(item, name === "cas_misses" ? "NOT_FOUND" : "EXISTS");
    },
  };

  function nameOf(old, unique) {
    if (old === 0) return "cas_misses";
    return store.casOf(old) === unique ? "cas_hits" : "cas_badval";
  }

  // The line is read again: it may have too few words, or too many.
  function refuseLine(least, connection, line) {
    line.rewind();
    line.next();
    quietly(least, least + 1, () => BAD_LINE)(connection, line);
  }

  function read(way, needsCas, connection, line) {
    line.next();
    const { bytes: sent, start, end } = line;
    const { isTooLong } = line;
    const flags = line.nextNumber(MOST_FLAGS);
    const exptime = line.nextTime();
    const length = line.nextNumber(MOST_BYTES);
    const unique = needsCas ? line.nextNumber(Infinity) : 0;
    // NaN if any of them is.
    const sum = flags + exptime + length + unique;
    // Behind the numbers there may be one word, `noreply`.
    const hasMore = line.next() && line.next();
    if (Number.isNaN(sum) || hasMore || isTooLong) {
      return refuseLine(needsCas ? 5 : 4, connection, line);
    }
    const { isQuiet } = line;
    const expires = store.expiryAfter(exptime);
    const item = store.reserve(sent, start, end, flags, expires, length);
    if (item <= 0 && way === put) removeStale(sent, start, end);
    const into = item > 0 ? bytes : null;
    const at = item > 0 ? store.dataOf(item) : 0;
    connection.awaitData(into, at, length + 2, (isWhole) => {
      const answer = finish(way, item, unique, isWhole);
      if (isWhole && !isQuiet) connection.answer(`${answer}\r\n`);
    });
  }

  function finish(way, item, unique, isWhole) {
    if (item <= 0) return failure(item);
    if (!isWhole) return refuse(item, "");
    counts.cmd_set++;
    const end = store.dataOf(item) + store.lengthOf(item);
    if (bytes.readUInt16BE(end) !== CRLF) return refuse(item, BAD_DATA);
    return way(store.twin(item), item, unique);
  }

  // Who finds no room for the new must not read the old.
  function removeStale(key, start, end) {
    const old = store.find(key, start, end);
    if (old !== 0) store.remove(old);
  }

  return Object.fromEntries(
    Object.entries(ways).map(([name, way]) => [
      name,
      (connection, line) => read(way, name === "cas", connection, line),
    ]),
  );
}

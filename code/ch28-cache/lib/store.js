import { hash } from "./hash.js";
import { LINKED, MOST, NEXT, Slabs, STATE } from "./slabs.js";

// An item's words after NEXT and STATE. Then come its bytes, as `get`
// answers them: key, flags and length, CRLF, the data, CRLF.
const PREVIOUS = 2;
const CHAIN = 3;
const CAS = 4; // two words, a double
const EXPIRES = 6;
const HASH = 7;
const HEAD = 8; // bytes of key, flags, length and CRLF; of the key
const DATA = 9; // bytes of the data
const HEADER_BYTES = 40;
const SMALLEST = 48;
const MONTH = 60 * 60 * 24 * 30;

/** Since 1970, in seconds; goes on when the machine's clock is set. */
const secondsNow = () =>
  Math.floor((performance.timeOrigin + performance.now()) / 1000);

/** Items by key. Of each class the least recently used goes first. */
export class Store {
  /** Seconds since the start, and two: 1 is always in the past. */
  now = 2;
  items = 0;
  /** Bytes of all items. */
  size = 0;
  totalItems = 0;
  expired = 0;
  evictions = 0;
  slabs;
  #bytes;
  #words;
  #doubles;
  #buckets;
  #mask = 1023;
  #split = 0;
  #newest;
  #oldest;
  #largest;
  #cas = 0;
  #movedAt = 0;
  #moves = 0;
  #startedAt = secondsNow() - 2;
  #flushAt = 0;
  #flushedCas = 0;

  /**
   * @param {number} memory for items, in bytes
   * @param {number} largest item, in bytes
   */
  constructor(memory, largest = MOST) {
    this.slabs = new Slabs(memory);
    this.#bytes = this.slabs.bytes;
    this.#words = this.slabs.words;
    this.#doubles = this.slabs.doubles;
    this.#largest = Math.min(largest, MOST);
    const kinds = this.slabs.sizes.length;
    this.#buckets = new Int32Array(Math.ceil(memory / SMALLEST));
    this.#newest = new Int32Array(kinds);
    this.#oldest = new Int32Array(kinds);
  }

  /** Gives the item with this key, which becomes the newest, or 0. */
  find(bytes, start, end, hashed = hash(bytes, start, end)) {
    const item = this.#search(bytes, start, end, hashed);
    if (item !== 0) this.#makeNewest(item);
    return item;
  }

  /** Gives the item in the store with the key of this one, or 0. */
  twin(item) {
    const start = item * 4 + HEADER_BYTES;
    const end = start + this.#keyLength(item);
    return this.#search(this.#bytes, start, end, this.#words[item + HASH]);
  }

  #search(bytes, start, end, hashed) {
    const words = this.#words;
    let item = this.#buckets[this.#bucketOf(hashed)];
    while (item !== 0 && !this.#isIt(item, bytes, start, end, hashed)) {
      item = words[item + CHAIN];
    }
    if (item === 0 || !this.#isPast(words[item + EXPIRES])) return item;
    this.expired++;
    this.remove(item);
    return 0;
  }

  #bucketOf(hashed) {
    const mixed = hashed ^ (hashed >>> 15);
    const bucket = mixed & this.#mask;
    return bucket < this.#split ? mixed & (this.#mask * 2 + 1) : bucket;
  }

  // The items of the new bucket come out of the bucket at `split`.
  #grow() {
    const words = this.#words;
    const from = this.#split;
    let item = this.#buckets[from];
    this.#buckets[from] = 0;
    this.#split++;
    while (item !== 0) {
      const next = words[item + CHAIN];
      const bucket = this.#bucketOf(words[item + HASH]);
      words[item + CHAIN] = this.#buckets[bucket];
      this.#buckets[bucket] = item;
      item = next;
    }
    if (this.#split <= this.#mask) return;
    this.#mask = this.#mask * 2 + 1;
    this.#split = 0;
  }

  #isIt(item, bytes, start, end, hashed) {
    if (this.#words[item + HASH] !== hashed) return false;
    if (this.#keyLength(item) !== end - start) return false;
    const own = this.#bytes;
    const from = item * 4 + HEADER_BYTES - start;
    for (let at = start; at < end; at++) {
      if (own[from + at] !== bytes[at]) return false;
    }
    return true;
  }

  #isPast(time) {
    return time !== 0 && time <= this.now;
  }

  #keyLength(item) {
    return this.#words[item + HEAD] >>> 16;
  }

  #headLength(item) {
    return this.#words[item + HEAD] & 0xffff;
  }

  /**
   * Makes an item that isn't in the store yet: 0 when it is too large, -1
   * when there is no memory.
   */
  reserve(bytes, start, end, flags, expires, length) {
    const rest = ` ${flags} ${length}\r\n`;
    const head = end - start + rest.length;
    const size = HEADER_BYTES + head + length + 2;
    if (size > this.#largest) return 0;
    const item = this.#take(this.slabs.classFor(size));
    if (item === 0) return -1;
    const words = this.#words;
    words[item + EXPIRES] = expires;
    words[item + HASH] = hash(bytes, start, end);
    words[item + HEAD] = head | ((end - start) << 16);
    words[item + DATA] = length;
    const own = this.#bytes;
    let to = item * 4 + HEADER_BYTES;
    for (let at = start; at < end; at++) own[to++] = bytes[at];
    for (let n = 0; n < rest.length; n++) own[to++] = rest.charCodeAt(n);
    return item;
  }

  #take(kind) {
    let item = this.slabs.take(kind);
    while (item === 0) {
      if (!this.#takePage(kind) && !this.#evict(kind)) return 0;
      item = this.slabs.take(kind);
    }
    return item;
  }

  #evict(kind) {
    const item = this.#oldest[kind];
    if (item === 0) return false;
    this.#drop(item);
    return true;
  }

  #drop(item) {
    if (this.casOf(item) <= this.#flushedCas) {
      this.#takeOut(item);
      this.slabs.give(item);
      return;
    }
    if (!this.#isPast(this.#words[item + EXPIRES])) this.evictions++;
    this.remove(item);
  }

  /** How long ago the oldest of a class was used, or -1. */
  #ageOf(kind) {
    const item = this.#oldest[kind];
    return item === 0 ? -1 : this.now - this.#words[item + STATE];
  }

  /** Takes a page: an empty one, or from the class that keeps longest. */
  #takePage(kind) {
    const age = this.#ageOf(kind);
    const empty = this.slabs.emptyPage;
    const isUrgent = age === -1 || empty !== -1;
    if (this.#movedAt !== this.now) this.#moves = 0;
    else if (!isUrgent || this.#moves === this.slabs.pages) return false;
    this.#movedAt = this.now;
    const least = isUrgent ? -1 : age * 2;
    const page = empty === -1 ? this.#sparePage(least) : empty;
    if (page === -1) return false;
    for (const item of this.slabs.chunks(page)) {
      if (this.#words[item + STATE] >= LINKED) this.#drop(item);
    }
    this.slabs.recut(page, kind);
    this.#moves++;
    return true;
  }

  /**
   * A page of the class that keeps its items longest, of those that can
   * spare one. Of equals it is the class with the most pages.
   *
   * @param {number} least for how long it must keep them at least
   */
  #sparePage(least) {
    const ages = Array.from(this.#oldest, (_, kind) => this.#ageOf(kind));
    const kinds = [...ages.keys()].filter((kind) => ages[kind] > least);
    const { slabs } = this;
    kinds.sort(
      (a, b) => ages[b] - ages[a] || slabs.pagesOf(b) - slabs.pagesOf(a),
    );
    for (const kind of kinds) {
      const page = slabs.spare(this.#oldest[kind]);
      if (page !== -1) return page;
    }
    return -1;
  }

  /** Gives back an item that was reserved. */
  discard(item) {
    this.slabs.give(item);
  }

  /** Puts a reserved item in, in the place of `old` if that isn't 0. */
  link(item, old) {
    if (old !== 0) this.remove(old);
    const words = this.#words;
    const bucket = this.#bucketOf(words[item + HASH]);
    words[item + CHAIN] = this.#buckets[bucket];
    this.#buckets[bucket] = item;
    words[item + STATE] = this.now;
    this.#doubles[(item + CAS) / 2] = ++this.#cas;
    this.#addNewest(item);
    this.items++;
    if (this.items > this.#mask + this.#split) this.#grow();
    this.totalItems++;
    this.size += this.#sizeOf(item);
  }

  remove(item) {
    const words = this.#words;
    const bucket = this.#bucketOf(words[item + HASH]);
    let link = this.#buckets[bucket];
    if (link === item) this.#buckets[bucket] = words[item + CHAIN];
    else {
      while (words[link + CHAIN] !== item) link = words[link + CHAIN];
      words[link + CHAIN] = words[item + CHAIN];
    }
    this.#takeOut(item);
    this.items--;
    this.size -= this.#sizeOf(item);
    this.slabs.give(item);
  }

  #sizeOf(item) {
    const data = this.#words[item + DATA];
    return HEADER_BYTES + this.#headLength(item) + data + 2;
  }

  #makeNewest(item) {
    this.#words[item + STATE] = this.now;
    if (this.#newest[this.slabs.classOf(item)] === item) return;
    this.#takeOut(item);
    this.#addNewest(item);
  }

  #addNewest(item) {
    const kind = this.slabs.classOf(item);
    const next = this.#newest[kind];
    this.#words[item + NEXT] = next;
    this.#words[item + PREVIOUS] = 0;
    if (next !== 0) this.#words[next + PREVIOUS] = item;
    else this.#oldest[kind] = item;
    this.#newest[kind] = item;
  }

  #takeOut(item) {
    const kind = this.slabs.classOf(item);
    const next = this.#words[item + NEXT];
    const previous = this.#words[item + PREVIOUS];
    if (next !== 0) this.#words[next + PREVIOUS] = previous;
    else this.#oldest[kind] = previous;
    if (previous !== 0) this.#words[previous + NEXT] = next;
    else this.#newest[kind] = next;
  }

  /** Gives an item other data, or 0 or -1 as `reserve`. */
  rewrite(old, data) {
    const start = old * 4 + HEADER_BYTES;
    const head = this.#bytes.latin1Slice(start, this.dataOf(old));
    const [name, flags] = head.split(" ");
    const key = Buffer.from(name, "latin1");
    const expires = this.#words[old + EXPIRES];
    const { length } = data;
    const item = this.reserve(key, 0, key.length, flags, expires, length);
    if (item <= 0) return item;
    const at = this.dataOf(item);
    data.copy(this.#bytes, at);
    this.#bytes.latin1Write("\r\n", at + length);
    // To make room, `reserve` may have removed the old one.
    this.link(item, this.twin(item));
    return item;
  }

  /** Where the data of an item begins, in `slabs.bytes`. */
  dataOf(item) {
    return item * 4 + HEADER_BYTES + this.#headLength(item);
  }

  lengthOf(item) {
    return this.#words[item + DATA];
  }

  /** A copy of an item's data. */
  copyOf(item) {
    const at = this.dataOf(item);
    const end = at + this.#words[item + DATA];
    return Buffer.from(this.#bytes.subarray(at, end));
  }

  /** Key, flags, length, CRLF, data, CRLF. */
  textOf(item) {
    const end = this.dataOf(item) + this.#words[item + DATA] + 2;
    return this.#bytes.latin1Slice(item * 4 + HEADER_BYTES, end);
  }

  casOf(item) {
    return this.#doubles[(item + CAS) / 2];
  }

  touch(item, expires) {
    this.#words[item + EXPIRES] = expires;
  }

  /** From the protocol's exptime, in seconds, to a time of this store. */
  expiryAfter(exptime) {
    if (exptime < 0) return 1;
    if (exptime === 0) return 0;
    if (exptime <= MONTH) return this.now + exptime;
    return Math.max(1, exptime - this.#startedAt);
  }

  /** Removes all, at once or at an exptime. */
  flush(exptime) {
    if (exptime > 0) this.#flushAt = this.expiryAfter(exptime);
    else this.#emptyBuckets();
  }

  #emptyBuckets() {
    this.#flushAt = 0;
    this.#flushedCas = this.#cas;
    this.#buckets.fill(0, 0, this.#mask + this.#split + 1);
    this.items = 0;
    this.size = 0;
  }

  /** For `stats`. */
  facts() {
    return {
      curr_items: this.items,
      total_items: this.totalItems,
      bytes: this.size,
      get_expired: this.expired,
      evictions: this.evictions,
    };
  }

  /** Counts from 0 again. */
  forget() {
    this.expired = 0;
    this.totalItems = 0;
    this.evictions = 0;
  }

  /** Moves the time on; to be called each second. It never goes back. */
  tick(now = secondsNow() - this.#startedAt) {
    this.now = Math.max(this.now, now);
    if (this.#isPast(this.#flushAt)) this.#emptyBuckets();
  }
}

const PAGE = 1024 * 1024;
const WORDS_OF_PAGE = PAGE / 4;
/** Bytes at a page's start, so that no chunk has the address 0. */
const MARGIN = 32;
/** What the largest chunk holds, in bytes. */
export const MOST = PAGE - MARGIN;
const GROWTH = 1.25;

// An item's words. A free chunk uses NEXT and STATE alone.
export const NEXT = 0;
export const STATE = 1;

export const FREE = 0;
export const RESERVED = 1;
/** Or more: when it was last used, in the store's seconds. */
export const LINKED = 2;

function chunkSizes() {
  const sizes = [];
  for (let size = 48; size < MOST / 2; size = size * GROWTH) {
    sizes.push(Math.ceil(size / 8) * 8);
  }
  return [...sizes, MOST];
}

/**
 * Memory for items: one arena, in pages of 1 MiB that are each cut into
 * chunks of one size. An address counts words of four bytes; 0 is none.
 */
export class Slabs {
  sizes = chunkSizes();
  /** Of each page, the class of its chunks. */
  #classes = [];
  /** Of each page, how many of its chunks aren't free. */
  #taken = [];
  #classOfSize = new Uint8Array(MOST / 8 + 1);
  #free = new Int32Array(this.sizes.length);
  #pages;

  /** @param {number} limit bytes, at least a page */
  constructor(limit) {
    this.#pages = Math.floor(limit / PAGE);
    const arena = new ArrayBuffer(this.#pages * PAGE);
    this.bytes = Buffer.from(arena);
    this.words = new Int32Array(arena);
    this.doubles = new Float64Array(arena);
    let kind = 0;
    for (let size = 0; size <= MOST; size += 8) {
      if (size > this.sizes[kind]) kind++;
      this.#classOfSize[size / 8] = kind;
    }
  }

  get pages() {
    return this.#classes.length;
  }

  /** A page on which nothing lies, or -1. */
  get emptyPage() {
    return this.#taken.indexOf(0);
  }

  pagesOf(kind) {
    return this.#classes.filter((one) => one === kind).length;
  }

  classFor(size) {
    return this.#classOfSize[(size + 7) >> 3];
  }

  classOf(item) {
    return this.#classes[Math.floor(item / WORDS_OF_PAGE)];
  }

  /** Gives a chunk of this class, or 0 when memory is full. */
  take(kind) {
    if (this.#free[kind] === 0 && !this.#addPage(kind)) return 0;
    const item = this.#free[kind];
    this.#free[kind] = this.words[item + NEXT];
    this.words[item + STATE] = RESERVED;
    this.#taken[Math.floor(item / WORDS_OF_PAGE)]++;
    return item;
  }

  give(item) {
    const kind = this.classOf(item);
    this.words[item + STATE] = FREE;
    this.words[item + NEXT] = this.#free[kind];
    this.#free[kind] = item;
    this.#taken[Math.floor(item / WORDS_OF_PAGE)]--;
  }

  #addPage(kind) {
    if (this.#classes.length === this.#pages) return false;
    this.#classes.push(kind);
    this.#cut(this.#classes.length - 1);
    return true;
  }

  #cut(page) {
    this.#taken[page] = this.chunks(page).length;
    for (const item of this.chunks(page).reverse()) this.give(item);
  }

  chunks(page) {
    const size = this.sizes[this.#classes[page]] / 4;
    const first = page * WORDS_OF_PAGE + MARGIN / 4;
    const count = Math.floor(MOST / 4 / size);
    return Array.from({ length: count }, (_, n) => first + n * size);
  }

  /** Finds a page to take: the item's, or another of its class, or -1. */
  spare(item) {
    const kind = this.classOf(item);
    const own = Math.floor(item / WORDS_OF_PAGE);
    const pages = [own, ...this.#classes.keys()];
    const isSpare = (page) =>
      this.#classes[page] === kind && !this.#isInUse(page);
    return pages.find(isSpare) ?? -1;
  }

  #isInUse(page) {
    const { words } = this;
    return this.chunks(page).some(
      (item) => words[item + STATE] === RESERVED,
    );
  }

  /** Cuts a page anew whose chunks are all free. */
  recut(page, kind) {
    const { words } = this;
    const from = page * WORDS_OF_PAGE;
    const old = this.#classes[page];
    let kept = 0;
    for (let item = this.#free[old]; item !== 0; ) {
      const next = words[item + NEXT];
      if (item < from || item >= from + WORDS_OF_PAGE) {
        words[item + NEXT] = kept;
        kept = item;
      }
      item = next;
    }
    this.#free[old] = kept;
    this.#classes[page] = kind;
    this.#cut(page);
  }
}

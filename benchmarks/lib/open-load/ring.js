/**
 * A queue of no more than so many: an array's own shift takes the longer the
 * more there are.
 *
 * @template T
 */
export class Ring {
  /** @type {(T | undefined)[]} */
  #places;
  #first = 0;
  #length = 0;

  /** @param {number} most */
  constructor(most) {
    this.#places = new Array(most).fill(undefined);
  }

  /** @param {T} item */
  push(item) {
    if (this.#length === this.#places.length) throw new RangeError("The ring is full.");
    this.#places[(this.#first + this.#length) % this.#places.length] = item;
    this.#length += 1;
  }

  /** @returns {T | undefined} the one that has been here for longest */
  shift() {
    if (this.#length === 0) return undefined;
    const item = this.#places[this.#first];
    this.#places[this.#first] = undefined;
    this.#first = (this.#first + 1) % this.#places.length;
    this.#length -= 1;
    return item;
  }
}

/** How many connections each address has. */
export class AddressCount {
  /** Only addresses that have some. @type {Map<string, number>} */
  #counts = new Map();

  /** @param {string} address */
  of(address) {
    return this.#counts.get(address) ?? 0;
  }

  /** @param {string} address */
  add(address) {
    this.#counts.set(address, this.of(address) + 1);
  }

  /** @param {string} address */
  remove(address) {
    const count = this.of(address) - 1;
    if (count > 0) this.#counts.set(address, count);
    else this.#counts.delete(address);
  }
}

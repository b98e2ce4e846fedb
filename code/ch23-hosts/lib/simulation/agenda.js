/** What is going to happen, and when. It has the clock. */
export class Agenda {
  /** In milliseconds. */
  now = 0;
  /** @type {{ at: number, act: () => void }[]} a heap */
  #items = [];

  /** @param {number} delay @param {() => void} act */
  add(delay, act) {
    const items = this.#items;
    const at = this.now + delay;
    let index = items.length;
    while (index > 0) {
      const above = (index - 1) >> 1;
      if (items[above].at <= at) break;
      items[index] = items[above];
      index = above;
    }
    items[index] = { at, act };
  }

  /** Lets everything happen. */
  run() {
    while (this.#items.length > 0) {
      const { at, act } = this.#take();
      this.now = at;
      act();
    }
  }

  #take() {
    const items = this.#items;
    const [first] = items;
    const last = /** @type {any} */ (items.pop());
    if (items.length === 0) return first;
    let index = 0;
    for (;;) {
      let below = 2 * index + 1;
      if (below >= items.length) break;
      if (items[below + 1]?.at < items[below].at) below += 1;
      if (last.at <= items[below].at) break;
      items[index] = items[below];
      index = below;
    }
    items[index] = last;
    return first;
  }
}

/** What is to happen, and when: the earliest comes first. */
export class Agenda {
  /** @type {{ at: number, act: () => void }[]} a binary heap */
  #items = [];

  get isEmpty() {
    return this.#items.length === 0;
  }

  add(at, act) {
    const items = this.#items;
    let index = items.length;
    while (index > 0) {
      const above = (index - 1) >> 1;
      if (items[above].at <= at) break;
      items[index] = items[above];
      index = above;
    }
    items[index] = { at, act };
  }

  take() {
    const items = this.#items;
    const first = items[0];
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

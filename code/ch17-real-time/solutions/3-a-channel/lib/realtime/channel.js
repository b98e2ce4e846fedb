/** @import { EventStream } from "./events.js" */

/** Streams that get the same events, and what was sent of late. */
export class Channel {
  #keep;
  #lastId = 0;
  /** @type {{ id: string, event?: string, data?: any }[]} */
  #kept = [];
  /** @type {Set<EventStream>} */
  #streams = new Set();

  /** @param {number} keep how many events are kept */
  constructor(keep) {
    this.#keep = keep;
  }

  get size() {
    return this.#streams.size;
  }

  /** @param {{ event?: string, data?: any }} content */
  send({ event, data }) {
    this.#lastId += 1;
    const sent = { id: String(this.#lastId), event, data };
    this.#kept.push(sent);
    if (this.#kept.length > this.#keep) this.#kept.shift();
    for (const stream of this.#streams) stream.send(sent);
  }

  /** @param {EventStream} stream */
  add(stream) {
    for (const event of this.#missedBy(stream)) stream.send(event);
    if (stream.signal.aborted) return;
    this.#streams.add(stream);
    const remove = () => this.#streams.delete(stream);
    stream.signal.addEventListener("abort", remove);
  }

  #missedBy({ lastEventId }) {
    if (lastEventId === "") return [];
    const before = this.#lastId - this.#kept.length;
    const isNumber = /^(0|[1-9]\d*)$/.test(lastEventId);
    const id = isNumber ? Number(lastEventId) : -1;
    const isKnown = id >= before && id <= this.#lastId;
    if (!isKnown) return [{ event: "gap", data: "" }, ...this.#kept];
    return this.#kept.slice(id - before);
  }
}

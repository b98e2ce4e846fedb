/** Calls all members now and then, with one timer for them all. */
export class Heartbeat {
  #interval;
  #beat;
  #members = new Set();
  /** @type {NodeJS.Timeout | undefined} */
  #timer;

  /**
   * @param {number} interval in milliseconds; Infinity for never
   * @param {(member: any) => void} beat
   */
  constructor(interval, beat) {
    this.#interval = interval;
    this.#beat = beat;
  }

  add(member) {
    if (this.#interval === Infinity) return;
    this.#members.add(member);
    this.#timer ??= setInterval(() => this.#visit(), this.#interval);
  }

  delete(member) {
    this.#members.delete(member);
    if (this.#members.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #visit() {
    for (const member of this.#members) this.#beat(member);
  }
}

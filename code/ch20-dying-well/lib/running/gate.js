import { Line } from "./line.js";
import { Loop } from "./loop.js";

/**
 * @typedef {object} Visit
 * @property {() => void} start
 * @property {() => void} refuse
 */

// For how many milliseconds handlers run before we look who has come.
const SLICE = 1;

/** Lets so many visits in at once, each when it is its turn. */
export class Gate {
  #concurrent;
  #age;
  /** @type {Line<Visit>} */
  #line;
  #loop = new Loop();
  #running = 0;
  #refused = 0;
  #isWorking = false;
  // For how long handlers ran the last time.
  #worked = SLICE;
  /** @type {NodeJS.Timeout | null} */
  #timer = null;

  /** @param {{ concurrent: number, age: number, waiting: number }} options */
  constructor({ concurrent, age, waiting }) {
    this.#concurrent = concurrent;
    this.#age = age;
    this.#line = new Line({ age, waiting });
  }

  get counts() {
    const waiting = this.#line.length;
    return { running: this.#running, waiting, refused: this.#refused };
  }

  /** @returns {boolean} whether a visit has entered, and has to leave */
  tryEnter() {
    this.#loop.tell();
    if (this.#line.length > 0 || !this.#hasRoom) return false;
    if (this.#loop.behind(performance.now()) > SLICE) return false;
    this.#running += 1;
    return true;
  }

  /** @param {Visit} visit */
  wait(visit) {
    this.#line.add(visit, performance.now());
    this.#refuse();
    this.#setTimer();
    this.#turn();
  }

  leave() {
    this.#running -= 1;
    if (!this.#isWorking) this.#turn();
  }

  get #hasRoom() {
    return this.#running < this.#concurrent;
  }

  #turn() {
    if (this.#line.length === 0 || !this.#hasRoom) return;
    this.#loop.turn(this.#worked, () => this.#work());
  }

  #work() {
    this.#isWorking = true;
    const start = performance.now();
    let now = start;
    while (this.#hasRoom && now - start < SLICE) {
      this.#refuse();
      const visit = this.#line.take(now);
      if (visit === undefined) break;
      this.#running += 1;
      visit.start();
      now = performance.now();
    }
    this.#isWorking = false;
    this.#worked = Math.max(SLICE, now - start);
    this.#turn();
  }

  #refuse() {
    const now = performance.now();
    for (;;) {
      const visit = this.#line.refuse(now);
      if (visit === undefined) return;
      this.#refused += 1;
      visit.refuse();
    }
  }

  // Where all places are taken, nothing else refuses the oldest.
  #setTimer() {
    const isNeeded = this.#line.length > 0 && this.#age !== Infinity;
    if (!isNeeded || this.#timer !== null) return;
    const left = this.#line.oldest + this.#age - performance.now();
    const look = () => {
      this.#timer = null;
      this.#refuse();
      this.#setTimer();
    };
    this.#timer = setTimeout(look, Math.max(0, left)).unref();
  }
}

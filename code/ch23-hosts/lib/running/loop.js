import { performance } from "node:perf_hooks";

// Less than this isn't waiting: asking takes some time too.
const IDLE = 0.1;

// The bytes of a new connection come in the turn after it.
const QUIET_TURNS = 2;

/** Knows how far the event loop is behind. */
export class Loop {
  #idle = 0;
  #calm = 0;
  #hasNews = false;
  #isTurning = false;

  /** Somebody has come. */
  tell() {
    this.#hasNews = true;
  }

  /** @returns {number} how many milliseconds the loop is behind */
  behind(now) {
    const idle = performance.nodeTiming.idleTime;
    if (idle - this.#idle > IDLE) this.#calm = now;
    this.#idle = idle;
    return now - this.#calm;
  }

  /**
   * Turns until nothing new comes, or the time is over.
   *
   * @param {number} most milliseconds
   * @param {() => void} then
   */
  turn(most, then) {
    if (this.#isTurning) return;
    this.#isTurning = true;
    this.#hasNews = false;
    const end = performance.now() + most;
    let quiet = 0;
    const look = () => {
      quiet = this.#hasNews ? 0 : quiet + 1;
      this.#hasNews = false;
      const now = performance.now();
      if (quiet < QUIET_TURNS && now < end) {
        setImmediate(look);
        return;
      }
      this.#isTurning = false;
      this.#calm = now;
      this.#idle = performance.nodeTiming.idleTime;
      then();
    };
    setImmediate(look);
  }
}

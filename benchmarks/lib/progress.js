/**
 * One line that says what runs and how long it will take: rewritten in place
 * on a terminal, a new line each time elsewhere.
 */
export class Progress {
  #startedAt = Date.now();
  #done = 0;
  #out;

  /**
   * @param {number} steps how many there will be
   * @param {NodeJS.WriteStream} [out]
   */
  constructor(steps, out = process.stderr) {
    this.steps = steps;
    this.#out = out;
  }

  /**
   * @param {string} what is done now
   * @param {number} guess milliseconds that a step takes, until we know better
   */
  begin(what, guess) {
    const left = (this.steps - this.#done) * this.#millisecondsPerStep(guess);
    this.say(`[${this.#done + 1}/${this.steps}] ${what}, ${formatTimeLeft(left)} left`);
  }

  /** @param {number} guess */
  #millisecondsPerStep(guess) {
    return this.#done === 0 ? guess : (Date.now() - this.#startedAt) / this.#done;
  }

  end() {
    this.#done++;
  }

  /** @param {string} line */
  say(line) {
    this.#out.write(this.#out.isTTY ? `\r\u001b[K${line}` : `${line}\n`);
  }

  /** Leaves the terminal's line empty. */
  finish() {
    if (this.#out.isTTY) this.#out.write("\r\u001b[K");
  }
}

/**
 * @param {number} milliseconds
 * @returns {string}
 */
export function formatTimeLeft(milliseconds) {
  const seconds = Math.round(milliseconds / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** @import { World } from "./world.js" */

/** A host that serves one request after the other. */
export class Host {
  isUp = true;
  #world;
  #service;
  /** @type {(() => void)[]} */
  #line = [];
  #isBusy = false;

  /** @param {World} world @param {number} service in milliseconds */
  constructor(world, service) {
    this.#world = world;
    this.#service = service;
  }

  /** How many requests are under way here. */
  get load() {
    return this.#line.length + Number(this.#isBusy);
  }

  /** @param {() => void} answer is called when the request was served */
  take(answer) {
    this.#line.push(answer);
    if (!this.#isBusy) this.#serve();
  }

  #serve() {
    const answer = this.#line.shift();
    this.#isBusy = answer !== undefined;
    if (answer === undefined) return;
    this.#world.in(this.#world.someTime(this.#service), () => {
      if (this.isUp) answer();
      this.#serve();
    });
  }
}

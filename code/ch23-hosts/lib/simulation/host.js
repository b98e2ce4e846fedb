/** @import { World } from "./world.js" */

/** A host that serves one request after the other. */
export class Host {
  isUp = true;
  #world;
  #service;
  /** @type {(() => void)[]} */
  #line = [];
  #served = 0;
  #isBusy = false;

  /** @param {World} world @param {number} service in milliseconds */
  constructor(world, service) {
    this.#world = world;
    this.#service = service;
  }

  /** How many requests are under way here. */
  get load() {
    return this.#line.length - this.#served;
  }

  /** @param {() => void} answer is called when the request was served */
  take(answer) {
    this.#line.push(answer);
    if (!this.#isBusy) this.#serve();
  }

  #serve() {
    this.#isBusy = this.load > 0;
    if (!this.#isBusy) return;
    this.#world.in(this.#world.someTime(this.#service), () => {
      if (this.isUp) this.#line[this.#served]();
      this.#served += 1;
      this.#serve();
    });
  }
}

import { once } from "node:events";
import http from "node:http";
import { buffer } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";

/** Clients that ask again and again, and count what goes wrong. */
export class Visitors {
  answered = 0;
  /** @type {Map<string, number>} how often, by the error's code */
  failures = new Map();
  #port;
  #isOver = false;
  #visits;

  constructor(port, count) {
    this.#port = port;
    const visits = Array.from({ length: count }, (_, i) =>
      // Every second one keeps its connection.
      this.#visit(new http.Agent({ keepAlive: i % 2 === 0 })),
    );
    this.#visits = Promise.all(visits);
  }

  async leave() {
    this.#isOver = true;
    await this.#visits;
  }

  async #visit(agent) {
    while (!this.#isOver) {
      await sleep(20 * Math.random());
      await this.#ask(agent);
    }
    agent.destroy();
  }

  async #ask(agent) {
    try {
      const options = { agent, port: this.#port, path: "/work" };
      const request = http.get(options);
      request.setTimeout(2000, () => request.destroy());
      const [response] = await once(request, "response");
      await buffer(response);
      this.answered += 1;
    } catch (err) {
      const count = this.failures.get(err.code) ?? 0;
      this.failures.set(err.code, count + 1);
    }
  }
}

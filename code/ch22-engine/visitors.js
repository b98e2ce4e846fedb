import { once } from "node:events";
import http from "node:http";
import { buffer } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";

/** Clients that ask again and again, and count what goes wrong. */
export class Visitors {
  answered = 0;
  /** @type {Map<string | number, number>} how often, by code or status */
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
    const signal = AbortSignal.timeout(2000);
    const options = { agent, port: this.#port, path: "/work", signal };
    try {
      // Once the answer has begun, `once` doesn't listen for errors.
      const request = http.get(options).on("error", () => {});
      const [response] = await once(request, "response");
      await buffer(response);
      if (response.statusCode === 200) this.answered += 1;
      else this.#fail(response.statusCode);
    } catch (err) {
      this.#fail(err.code);
    }
  }

  #fail(why) {
    this.failures.set(why, (this.failures.get(why) ?? 0) + 1);
  }
}

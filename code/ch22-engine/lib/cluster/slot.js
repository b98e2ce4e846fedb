import { setTimeout as sleep } from "node:timers/promises";
import { Backoff } from "./backoff.js";
import { WorkerProcess } from "./worker-process.js";

// How long a new worker has to last before the old one leaves, in ms.
const TRIAL = 1_000;

/** A place for one worker, which doesn't stay empty. */
export class Slot {
  #number;
  #supervisor;
  #backoff;
  #isStopping = false;
  #pause;
  /** @type {Promise<any>} */
  #last = Promise.resolve();

  /** All that live: also one that starts, and one that leaves. */
  processes = new Set();
  /** @type {WorkerProcess | null} who serves, or did */
  worker = null;

  constructor(number, supervisor) {
    this.#number = number;
    this.#supervisor = supervisor;
    this.#backoff = new Backoff(supervisor.settings.stableAfter);
  }

  async run() {
    while (!this.#isStopping) {
      await this.#exclusively(() => this.#fill());
      const { worker } = this;
      const ending = await worker?.gone;
      if (worker !== this.worker || this.#isStopping) continue;
      if (!worker?.isOutdated) await this.#rest(worker, ending);
    }
  }

  // Another may have been quicker.
  async #fill() {
    if (this.worker?.isAlive || this.#isStopping) return;
    this.worker = await this.#startOne();
  }

  /**
   * Puts a new worker in the old one's place.
   *
   * @returns {Promise<boolean>} whether the new one serves
   */
  replace() {
    return this.#exclusively(async () => {
      if (this.#isStopping) return false;
      const old = this.worker;
      const next = await this.#startOne();
      if (!(next.isReady && (await this.#lasts(next)))) {
        const { report } = this.#supervisor.settings;
        report(`${next.name} ${await next.gone}`);
        return false;
      }
      this.worker = next;
      this.#pause?.abort();
      old?.leave();
      await old?.gone;
      return true;
    });
  }

  async stop() {
    this.#isStopping = true;
    this.#pause?.abort();
    const processes = [...this.processes];
    for (const each of processes) each.leave();
    await Promise.all(processes.map((each) => each.gone));
  }

  // It serves next to the old one meanwhile.
  async #lasts(worker) {
    const { stableAfter } = this.#supervisor.settings;
    const time = Math.min(stableAfter, TRIAL);
    await Promise.race([worker.gone, sleep(time, null, { ref: false })]);
    return worker.isAlive;
  }

  async #rest(worker, ending) {
    const time = this.#backoff.next(worker.lifetime);
    const when = time === 0 ? "at once" : `in ${time} ms`;
    const { settings } = this.#supervisor;
    settings.report(`${worker.name} ${ending}: another starts ${when}`);
    this.#supervisor.noteFailure(this.#number, this.#backoff.failures);
    this.#pause = new AbortController();
    if (this.#isStopping) return;
    const { signal } = this.#pause;
    await sleep(time, null, { signal }).catch(() => {});
  }

  // Once more, if it had to say first which port it wants.
  async #startOne() {
    let worker;
    do {
      worker = this.#begin();
      if (await worker.ready) {
        this.#supervisor.noteReady(worker);
        return worker;
      }
    } while (worker.isOutdated && !this.#isStopping);
    return worker;
  }

  #begin() {
    const { settings, sockets, metrics } = this.#supervisor;
    const worker = new WorkerProcess(this.#number, settings, sockets);
    this.processes.add(worker);
    worker.gone.then(() => {
      this.processes.delete(worker);
      metrics.keep(worker.counts);
    });
    return worker;
  }

  // One start after the other.
  #exclusively(fn) {
    this.#last = this.#last.then(fn);
    return this.#last;
  }
}

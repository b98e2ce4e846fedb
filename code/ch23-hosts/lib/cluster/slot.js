import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { UsageError } from "../errors.js";
import { Backoff } from "./backoff.js";
import { WorkerProcess } from "./worker-process.js";

// So many early ends, one after the other, are a loop.
const LOOP = 5;
// How long a new worker has to last before the old one leaves, in ms.
const TRIAL = 1_000;

/** A place for one worker, which doesn't stay empty. */
export class Slot {
  #number;
  #supervisor;
  #backoff;
  #isStopping = false;
  #pause = new AbortController();
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
      this.#pause = new AbortController();
      const { signal } = this.#pause;
      const aborted = once(signal, "abort");
      const ending = await Promise.race([worker?.gone, aborted]);
      if (worker !== this.worker || this.#isStopping) continue;
      if (!worker?.isOutdated) await this.#rest(worker, ending, signal);
    }
  }

  // Another may have been quicker.
  async #fill() {
    if (this.worker?.isAlive || this.#isStopping) return;
    this.worker = await this.#startOne();
  }

  /**
   * Puts a new worker in the old one's place, and waits until that is gone.
   *
   * @returns {Promise<boolean>} whether the new one serves
   */
  async replace() {
    const old = await this.#exclusively(() => this.#exchange());
    await old?.gone;
    return old !== undefined;
  }

  // Gives the old one, which leaves, or undefined: then it stays.
  async #exchange() {
    if (this.#isStopping) return undefined;
    const old = this.worker;
    const next = await this.#startOne();
    if (!(next.isReady && (await this.#lasts(next)))) {
      if (next.isOutdated) return this.#exchange();
      const { report } = this.#supervisor.settings;
      report(`${next.name} ${await next.gone}`);
      return undefined;
    }
    this.worker = next;
    this.#pause.abort();
    old?.leave();
    return old;
  }

  async stop() {
    this.#isStopping = true;
    this.#pause.abort();
    const processes = [...this.processes];
    for (const each of processes) each.leave();
    await Promise.all(processes.map((each) => each.gone));
  }

  // It serves next to the old one meanwhile.
  async #lasts(worker) {
    const { stableAfter } = this.#supervisor.settings;
    const time = Math.min(stableAfter, TRIAL);
    await Promise.race([worker.gone, sleep(time, null, { ref: false })]);
    // One that is outdated lives until its last answer is out.
    return worker.isAlive && !worker.isOutdated;
  }

  async #rest(worker, ending, signal) {
    const time = this.#backoff.next(worker.lifetime);
    const when = time === 0 ? "at once" : `in ${time} ms`;
    const { settings } = this.#supervisor;
    const isLoop = this.#backoff.failures === LOOP;
    const what = `worker ${this.#number} has ended ${LOOP} times`;
    if (isLoop && !this.#supervisor.wasReady) {
      settings.report(`${worker.name} ${ending}: no other starts`);
      this.#supervisor.giveUp(
        new UsageError("ERR_WORKER_NEVER_READY", settings.script, what),
      );
      return;
    }
    settings.report(`${worker.name} ${ending}: another starts ${when}`);
    if (isLoop) settings.report(`crash loop: ${what}, each time early`);
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

  // One start after the other, whatever became of the one before.
  #exclusively(fn) {
    const result = this.#last.then(fn);
    this.#last = result.catch(() => {});
    return result;
  }
}

import http from "node:http";
import { UsageError } from "../errors.js";
import { Metrics } from "./metrics.js";
import { readOptions } from "./options.js";
import { Slot } from "./slot.js";
import { Sockets } from "./sockets.js";

/** @import { SupervisorOptions } from "./options.js" */

// Signals that come so close together count as one, in milliseconds.
const TOGETHER = 1_000;

/**
 * Runs a server in several processes, which share its ports. SIGHUP replaces
 * them one by one, SIGTERM and SIGINT end them.
 *
 * @param {SupervisorOptions} options
 * @throws {UsageError} ERR_OPTIONS_INVALID, ERR_OPTION_UNKNOWN,
 *   ERR_OPTION_INVALID, ERR_SCRIPT_MISSING, ERR_SUPERVISOR_IN_WORKER
 */
export function supervise(options) {
  return new Supervisor(readOptions(options));
}

class Supervisor {
  #slots;
  #isStopping = false;
  #isRestarting = false;
  #isRestartWanted = false;
  #stoppedAt = 0;
  #lookedAt = 0;
  #looking;
  #server;
  #finish;
  #fail;
  #onSignal = {
    SIGHUP: () => this.restart(),
    SIGTERM: () => this.stop(),
    SIGINT: () => this.stop(),
  };

  metrics = new Metrics();
  sockets = new Sockets();

  /** @type {Promise<void>} rejects when it can't go on */
  done;
  wasReady = false;

  constructor(settings) {
    if (globalThis[Symbol.for("velocy.worker")]) {
      throw new UsageError("ERR_SUPERVISOR_IN_WORKER");
    }
    this.settings = settings;
    const { workers: length } = settings;
    this.#slots = Array.from({ length }, (_, i) => new Slot(i + 1, this));
    this.done = new Promise((resolve, reject) => {
      this.#finish = resolve;
      this.#fail = reject;
    });
    for (const [signal, listener] of Object.entries(this.#onSignal)) {
      process.on(signal, listener);
    }
    // The workers go on when nobody reads what they write any more.
    for (const stream of [process.stdout, process.stderr]) {
      stream.on("error", () => {});
    }
    this.#lookedAt = performance.now();
    this.#looking = setInterval(() => this.#look(), settings.beat);
    // The first one alone. It says whether the program runs at all.
    this.#run(this.#slots[0]);
    if (settings.metricsPort !== null) this.#serveMetrics();
  }

  noteReady(worker) {
    this.settings.report(`${worker.name} is ready`);
    if (this.wasReady) return;
    this.wasReady = true;
    for (const slot of this.#slots.slice(1)) this.#run(slot);
  }

  #run(slot) {
    slot.run().catch((err) => this.giveUp(err));
  }

  giveUp(err) {
    this.#fail(err);
    this.stop();
  }

  /** Replaces all workers, one after the other. */
  async restart() {
    this.#isRestartWanted = true;
    if (this.#isRestarting) return;
    this.#isRestarting = true;
    while (this.#isRestartWanted && !this.#isStopping) {
      this.#isRestartWanted = false;
      await this.#replaceAll();
    }
    this.#isRestarting = false;
  }

  async #replaceAll() {
    const { report, workers } = this.settings;
    report("restarting");
    let replaced = 0;
    for (const slot of this.#slots) {
      if (!(await slot.replace())) break;
      replaced += 1;
    }
    if (this.#isStopping) return;
    const how = replaced === workers ? "restarted" : "restart given up";
    report(`${how}: ${replaced} of ${workers}`);
  }

  /** Has all workers leave. The second time they are killed. */
  async stop() {
    const now = performance.now();
    if (this.#isStopping) {
      if (now - this.#stoppedAt > TOGETHER) this.#killAll();
      return;
    }
    this.#stoppedAt = now;
    this.#isStopping = true;
    this.settings.report("stopping");
    // The port closes with the last worker's server.
    this.sockets.close();
    await Promise.all(this.#slots.map((slot) => slot.stop()));
    clearInterval(this.#looking);
    this.#server?.close();
    for (const [signal, listener] of Object.entries(this.#onSignal)) {
      process.off(signal, listener);
    }
    this.settings.report("stopped");
    this.#finish();
  }

  #killAll() {
    for (const slot of this.#slots) {
      for (const each of slot.processes) each.kill("has no more time");
    }
  }

  #look() {
    const { beat, hungAfter } = this.settings;
    const now = performance.now();
    const hasSlept = now - this.#lookedAt > 2 * beat;
    this.#lookedAt = now;
    // What they said meanwhile isn't read yet.
    if (hasSlept) return;
    for (const { worker } of this.#slots) {
      if (!worker?.isAlive || worker.silence <= hungAfter) continue;
      worker.kill("is hung");
    }
  }

  #serveMetrics() {
    this.#server = http.createServer((req, res) => {
      if (req.url !== "/metrics") res.statusCode = 404;
      else res.setHeader("content-type", "text/plain; version=0.0.4");
      res.end(req.url === "/metrics" ? this.metricsText() : "");
    });
    const { metricsPort, report } = this.settings;
    this.#server.on("error", (err) => report(`no metrics: ${err.message}`));
    this.#server.listen(metricsPort, "127.0.0.1");
  }

  /** What was counted, in the text format of Prometheus. */
  metricsText() {
    const processes = this.#slots.flatMap((slot) => [...slot.processes]);
    return this.metrics.text(processes);
  }
}

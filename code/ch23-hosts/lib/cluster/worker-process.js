import { EventEmitter } from "node:events";
import { passLines } from "./lines.js";
import { readMessage } from "./messages.js";
import { keyOf } from "./sockets.js";
import { startProcess } from "./start-process.js";

// The worker's last words are in it.
export const KILL_AFTER = 2000;

/** A worker, as the supervisor sees it. */
export class WorkerProcess {
  #child;
  #settings;
  #places;
  #timer;
  #isLeaving = false;
  #setReady;
  #readyAt = 0;
  #spokeAt = 0;
  #goneAt = 0;

  /** What it has counted. */
  counts = { counters: {}, gauges: {} };
  /** Whether it had to make room for one with the socket that it wants. */
  isOutdated = false;

  /** @type {Promise<boolean>} whether it listens; false if it never will */
  ready;
  /** @type {Promise<string>} how it ended */
  gone;

  /** @param {number} number @param {import("./sockets.js").Sockets} sockets */
  constructor(number, settings, sockets) {
    this.number = number;
    this.#settings = settings;
    const { sharing, deadline, beat } = settings;
    const { descriptors, places } = sockets;
    this.#places = places;
    const message = { sharing, deadline, beat, places };
    const fork = () => startProcess(settings, descriptors, message);
    this.#child = start(fork);
    const child = this.#child;
    // Without a descriptor left it has no outputs, only an error.
    if (child.stdout) passLines(child.stdout, process.stdout);
    if (child.stderr) passLines(child.stderr, process.stderr);
    this.ready = new Promise((resolve) => {
      this.#setReady = resolve;
    });
    this.gone = new Promise((resolve) => {
      // If the process runs, the error is only an unsent message.
      if (child.pid === undefined) {
        child.once("error", (err) => this.#end(String(err), resolve));
      }
      child.once("exit", (code, signal) => {
        const how = signal === null ? `with code ${code}` : `by ${signal}`;
        const end = () => this.#end(`ended ${how}`, resolve);
        // Its last messages may still be on their way.
        if (child.connected) child.once("disconnect", end);
        else end();
      });
    });
    child.on("message", (message) => {
      this.#take(readMessage(message), sockets);
    });
    // A message to one that is just ending.
    child.on("error", () => {});
    this.#killIn(settings.startTimeout, "isn't ready in time");
  }

  get name() {
    return `worker ${this.number} (pid ${this.#child.pid})`;
  }

  get isReady() {
    return this.#readyAt > 0;
  }

  get isAlive() {
    return this.#goneAt === 0;
  }

  /** For how many milliseconds it was ready. */
  get lifetime() {
    return this.isReady ? this.#goneAt - this.#readyAt : 0;
  }

  /** How long it has said nothing, in milliseconds. */
  get silence() {
    return this.isReady ? performance.now() - this.#spokeAt : 0;
  }

  #take(message, sockets) {
    if (message === undefined) return;
    this.#spokeAt = performance.now();
    if (message.ready) this.#noteReady();
    if (message.beat) this.counts = message.beat;
    if (message.barrier) this.#tell("barrier");
    if (message.want) this.#give(message.want, sockets);
  }

  #noteReady() {
    this.#readyAt = performance.now();
    this.#setReady(true);
    // `leave` may have been sent before the worker could hear it.
    if (this.#isLeaving) this.#tell("leave");
    else clearTimeout(this.#timer);
  }

  #end(ending, resolve) {
    clearTimeout(this.#timer);
    this.#goneAt = performance.now();
    this.#setReady(false);
    resolve(ending);
  }

  // Only a new process can inherit a socket that we keep.
  async #give(address, sockets) {
    const key = keyOf(address);
    // It has it already.
    if (key in this.#places) return;
    if (!(await sockets.open(address))) {
      this.#tell({ alone: key });
      return;
    }
    this.isOutdated = true;
    const what = `asks for port ${address.port}: another starts with it`;
    this.#settings.report(`${this.name} ${what}`);
    this.leave();
  }

  /** Has it finish what it has begun, and end. */
  leave() {
    if (this.#isLeaving || !this.isAlive) return;
    this.#isLeaving = true;
    this.#tell("leave");
    this.#killIn(this.#settings.deadline + KILL_AFTER, "won't leave");
  }

  kill(why) {
    this.#settings.report(`${this.name} ${why}: killing it`);
    this.#child.kill("SIGKILL");
  }

  #killIn(milliseconds, why) {
    clearTimeout(this.#timer);
    if (milliseconds === Infinity) return;
    this.#timer = setTimeout(() => this.kill(why), milliseconds);
  }

  #tell(velocy) {
    if (this.#child.connected) this.#child.send({ velocy }, () => {});
  }
}

function start(fork) {
  try {
    return fork();
  } catch (err) {
    const child = /** @type {any} */ (new EventEmitter());
    process.nextTick(() => child.emit("error", err));
    return child;
  }
}

import { setFields } from "./response.js";

/**
 * Has work done before the head of an answer is sent. While its promise is
 * open, what is written waits. The work may set fields.
 *
 * @param {any} res
 * @param {() => Promise<unknown> | undefined} work
 * @param {(err: unknown) => void} fail the answer isn't sent then
 */
export function beforeHead(res, work, fail) {
  const { writeHead, write, end, flushHeaders, switchProtocols } = res;
  const plain = { writeHead, write, end, flushHeaders, switchProtocols };
  const answer = new HeldAnswer(res, plain, work, fail);
  for (const way of ["write", "end", "flushHeaders", "switchProtocols"]) {
    const hold = (...args) => answer.call(way, args);
    res[way] = hold;
  }
  const holdHead = (...args) => {
    if (answer.isOver) return answer.call("writeHead", args);
    const [statusCode, reason, fields] = args;
    const hasReason = typeof reason === "string";
    setFields(res, hasReason ? fields : (fields ?? reason));
    const rest = hasReason ? [statusCode, reason] : [statusCode];
    return answer.call("writeHead", rest);
  };
  res.writeHead = holdHead;
}

/** Calls a function when nothing more is sent. */
export function whenClosed(res, fn) {
  if (res.closed) process.nextTick(fn);
  else res.once("close", fn);
}

class HeldAnswer {
  isOver = false;
  #hasBegun = false;
  #hasFailed = false;
  #pretended = new Set();
  /** What was called meanwhile. @type {[way: string, args: any[]][]} */
  #calls = [];
  #wake = () => {};

  constructor(res, plain, work, fail) {
    this.res = res;
    this.plain = plain;
    this.work = work;
    this.fail = fail;
  }

  call(way, args) {
    if (!this.#hasBegun) this.#begin();
    if (this.#hasFailed) return false;
    if (this.isOver) return this.plain[way].apply(this.res, args);
    this.#calls.push([way, args]);
    this.#pretend("headersSent");
    if (way === "end") this.#pretend("writableEnded");
    if (way !== "write") return this.res;
    // Kept now: compress() may replace emit when the calls are made.
    this.#wake = this.res.emit.bind(this.res, "drain");
    return false;
  }

  #begin() {
    this.#hasBegun = true;
    const promise = this.#start();
    this.isOver = promise === undefined;
    promise?.then(
      () => this.#release(),
      (err) => this.#drop(err),
    );
  }

  // What fails at once fails like what fails later.
  #start() {
    try {
      return this.work();
    } catch (err) {
      return Promise.reject(err);
    }
  }

  // To whoever asks, what was called has been done.
  #pretend(name) {
    if (Object.hasOwn(this.res, name)) return;
    const property = { value: true, configurable: true };
    Object.defineProperty(this.res, name, property);
    this.#pretended.add(name);
  }

  #release() {
    this.isOver = true;
    for (const name of this.#pretended) delete this.res[name];
    let isFull = false;
    let made = 0;
    try {
      for (const [way, args] of this.#calls) {
        isFull = this.call(way, args) === false || isFull;
        made += 1;
      }
      // Whoever says that it is full will say "drain", too.
      if (!isFull) this.#wake();
    } catch (err) {
      this.#calls = this.#calls.slice(made);
      this.#drop(err);
    }
  }

  #drop(err) {
    this.isOver = true;
    this.#hasFailed = true;
    Object.assign(this.res, this.plain);
    delete this.res.headersSent;
    delete this.res.writableEnded;
    this.res.removeAllListeners("drain");
    this.res.shouldKeepAlive = false;
    const last = this.#calls.map(([, args]) => args.at(-1));
    const callbacks = last.filter((each) => typeof each === "function");
    whenClosed(this.res, () => {
      for (const callback of callbacks) callback(err);
    });
    this.fail(err);
  }
}

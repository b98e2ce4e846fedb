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
  const answer = new HeldAnswer(res, work, fail);
  for (const way of ["write", "end", "flushHeaders", "switchProtocols"]) {
    const plain = res[way];
    res[way] = (...args) => answer.call(way, () => plain.apply(res, args));
  }
  const plain = res.writeHead;
  res.writeHead = (...args) => {
    if (answer.isOver) return plain.apply(res, args);
    // Given here, fields would replace what the work sets.
    const [statusCode, reason, fields] = args;
    const hasReason = typeof reason === "string";
    setFields(res, hasReason ? fields : (fields ?? reason));
    const rest = hasReason ? [statusCode, reason] : [statusCode];
    return answer.call("writeHead", () => plain.apply(res, rest));
  };
}

class HeldAnswer {
  isOver = false;
  #hasBegun = false;
  #pretended = new Set();
  /** What was called meanwhile. @type {(() => unknown)[]} */
  #calls = [];
  #wake = () => {};

  constructor(res, work, fail) {
    this.res = res;
    this.work = work;
    this.fail = fail;
  }

  call(way, go) {
    if (!this.#hasBegun) this.#begin();
    if (this.isOver) return go();
    this.#calls.push(go);
    this.#pretend("headersSent");
    if (way === "end") this.#pretend("writableEnded");
    if (way !== "write") return this.res;
    // When the calls are made, compress() may give res another emit.
    this.#wake = this.res.emit.bind(this.res, "drain");
    return false;
  }

  #begin() {
    this.#hasBegun = true;
    // An error's answer isn't held up by the work that has failed.
    this.isOver = true;
    const promise = this.work();
    if (promise === undefined) return;
    this.isOver = false;
    promise.then(
      () => this.#release(this.#calls),
      (err) => {
        this.#release([]);
        this.fail(err);
      },
    );
  }

  // To whoever asks, what was called has been done.
  #pretend(name) {
    if (Object.hasOwn(this.res, name)) return;
    const property = { value: true, configurable: true };
    Object.defineProperty(this.res, name, property);
    this.#pretended.add(name);
  }

  #release(calls) {
    this.isOver = true;
    for (const name of this.#pretended) delete this.res[name];
    let isFull = false;
    try {
      for (const go of calls) isFull = go() === false || isFull;
      // Whoever says that it is full will say "drain", too.
      if (!isFull) this.#wake();
    } catch (err) {
      this.fail(err);
    }
  }
}

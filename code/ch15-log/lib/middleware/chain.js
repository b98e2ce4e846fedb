import { UsageError } from "../errors.js";
import { isStream } from "../response/serialize.js";
import { discard } from "../response/stream.js";

/** @import { Request } from "../request/request.js" */

/**
 * What a middleware calls to have the rest done. It gives back what the
 * rest returned. Called with an error, it makes the middleware fail.
 *
 * @typedef {(err?: unknown) => any} Next
 */

/** @typedef {(req: Request, res: any, next: Next) => unknown} Middleware */

/**
 * @typedef {object} Layer a middleware, and where it was added
 * @property {Middleware} fn
 * @property {string} addedAt `server.js:12:8`
 */

// Under this name a middleware keeps a function that makes the same
// middleware for another depth.
export const HANG = Symbol("hang");

/**
 * Runs middleware from the outside in, and innermost the handler. Gives
 * back what the outermost gives: a promise only if one of them is
 * asynchronous.
 *
 * @param {object} chain
 * @param {Layer[]} chain.layers
 * @param {(req: Request, res: any) => unknown} chain.handler
 * @param {(err: unknown) => void} chain.fail answers for what a layer fails
 *   with when it is over
 * @param {(err: unknown) => void} chain.tell is told what else fails then
 */
export function runChain(chain, req, res) {
  return enter(chain, req, res, 0);
}

function enter(chain, req, res, index) {
  if (index === chain.layers.length) {
    // What is set from here on is the handler's.
    res.outerFields = fieldsOf(res);
    return chain.handler(req, res);
  }
  return new Turn(chain, req, res, index).run();
}

const NO_FIELDS = Object.freeze({});

// Arrays are copied too: appendHeader() adds to the one that it finds.
export function fieldsOf(res) {
  if (res.getHeaderNames().length === 0) return NO_FIELDS;
  const fields = res.getHeaders();
  for (const [name, value] of Object.entries(fields)) {
    if (Array.isArray(value)) fields[name] = [...value];
  }
  return fields;
}

export function isThenable(value) {
  return typeof value?.then === "function";
}

// One layer's turn in one request.
class Turn {
  /**
   * @type {"running" | "promised" | "waiting" | "passed on" | "done" |
   *   "left"}
   */
  state = "running";
  isCalled = false;
  /** @type {any} what next() gave back */
  inside = undefined;
  /** @type {{ err: unknown, wasAnswered: boolean } | null} how it failed */
  insideFailure = null;
  /** @type {{ err: unknown } | null} how the layer itself failed */
  failure = null;
  /** @type {any} ends the waiting */
  settle = null;

  constructor(chain, req, res, index) {
    this.chain = chain;
    this.req = req;
    this.res = res;
    this.index = index;
  }

  // Nothing that happens can change any more what the layer gave.
  get isOver() {
    const { state } = this;
    return state === "passed on" || state === "done" || state === "left";
  }

  run() {
    const layer = this.chain.layers[this.index];
    let value;
    try {
      value = layer.fn(this.req, this.res, (err) => this.next(err));
    } catch (err) {
      return this.fail(err);
    }
    if (!isThenable(value)) return this.end(value);
    this.state = "promised";
    const promise = Promise.resolve(value);
    const isInside = promise === this.inside && this.failure === null;
    if (isInside) return this.passOn();
    return promise.then(
      (result) => this.end(result),
      (err) => this.fail(err),
    );
  }

  next(err) {
    if (err !== undefined && err !== null) this.failWith(err, "fail");
    else if (this.isCalled || this.failure) this.misuse("ERR_NEXT_TWICE");
    else if (this.state === "left" && !this.res.writableEnded) {
      this.goInside();
      this.dropInside();
    } else if (this.isOver || this.res.writableEnded) {
      this.misuse("ERR_NEXT_LATE");
    } else this.goInside();
    if (this.state !== "waiting") return this.inside;
    // A timer catches no error: what the inside gives is the layer's.
    this.settle();
    return undefined;
  }

  misuse(code) {
    const { addedAt } = this.chain.layers[this.index];
    this.failWith(new UsageError(code, addedAt), "tell");
  }

  failWith(err, afterwards) {
    const isFirst = this.failure === null;
    // Kept when it is over, too: next() then runs nothing.
    if (isFirst) this.failure = { err };
    if (this.isOver) this.chain[afterwards](err);
    else if (!isFirst) this.chain.tell(err);
  }

  goInside() {
    const { chain, req, res, index } = this;
    this.isCalled = true;
    try {
      this.inside = enter(chain, req, res, index + 1);
    } catch (err) {
      // The function that has called next() can catch what it throws.
      if (this.state === "running") {
        this.noteFailure(err);
        throw err;
      }
      this.inside = Promise.reject(err);
    }
    if (!isThenable(this.inside)) return;
    // A thenable may do its work at each then(), a promise doesn't.
    this.inside = Promise.resolve(this.inside);
    this.inside.then(undefined, (err) => this.noteFailure(err));
  }

  noteFailure(err) {
    const wasAnswered = this.res.headersSent;
    this.insideFailure = { err, wasAnswered };
    if (this.isOver && this.state !== "passed on") this.chain.tell(err);
  }

  // What the layer gives, once its function is done.
  end(value) {
    if (this.failure !== null) return this.fail(this.failure.err);
    if (value === undefined && this.isCalled) return this.passOn();
    if (value === undefined && !this.res.writableEnded) return this.wait();
    this.state = "done";
    return value;
  }

  passOn() {
    this.state = "passed on";
    if (this.insideFailure === null) return this.inside;
    // Who catches an error and answers has dealt with it.
    const { err, wasAnswered } = this.insideFailure;
    if (this.res.headersSent && !wasAnswered) return undefined;
    throw err;
  }

  /** @returns {never} */
  fail(err) {
    this.state = "done";
    this.dropInside();
    if (this.failure === null || this.failure.err === err) throw err;
    this.chain.tell(err);
    throw this.failure.err;
  }

  async dropInside() {
    try {
      const value = await this.inside;
      // To end a request that nobody has read would cut its connection.
      if (value !== this.req && isStream(value)) await discard(value);
    } catch {
      // The error that the layer has failed with came first.
    }
  }

  // It has neither answered nor called next(): it will do one of them, or
  // the client leaves.
  wait() {
    const { res } = this;
    this.state = "waiting";
    return new Promise((resolve, reject) => {
      const close = () => {
        this.state = res.writableEnded ? "done" : "left";
        resolve(undefined);
      };
      const settle = () => {
        res.off("close", close);
        try {
          resolve(this.end(undefined));
        } catch (err) {
          reject(err);
        }
      };
      this.settle = settle;
      if (res.closed) close();
      else res.once("close", close);
    });
  }
}

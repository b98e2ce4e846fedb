import { HttpError } from "../errors.js";

/** @import { Middleware } from "./chain.js" */

/**
 * @typedef {{ status: number, text: string }} Answer
 * @typedef {object} OnceStore
 * @property {(key: string) => Promise<null | "busy" | Answer>} begin
 * @property {(key: string, answer: Answer) => Promise<void>} finish
 * @property {(key: string) => Promise<void>} forget
 */

const KEY = /^[\w-]{1,64}$/;

/**
 * Carries out a POST once, however often it comes with one key.
 *
 * @param {OnceStore} store
 * @returns {Middleware}
 */
export function once(store) {
  return async (req, res, next) => {
    const key = req.headers["idempotency-key"];
    if (req.method !== "POST" || key === undefined) return next();
    if (!KEY.test(String(key))) throw new HttpError(400, "no valid key");
    const known = await store.begin(String(key));
    if (known === "busy") throw new HttpError(409, "it is under way");
    if (known !== null) {
      res.status(known.status);
      return known.text;
    }
    return carryOut(store, String(key), res, next);
  };
}

async function carryOut(store, key, res, next) {
  try {
    const text = await next();
    await store.finish(key, { status: res.statusCode, text });
    return text;
  } catch (err) {
    await store.forget(key);
    throw err;
  }
}

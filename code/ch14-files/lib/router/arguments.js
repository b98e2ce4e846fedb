import { show, UsageError } from "../errors.js";
import { deadline } from "../middleware/deadline.js";
import { checkLimit, checkType, refuseUnknown } from "../options.js";
import { isSchema, withBody } from "../request/schema.js";

/** @import { Layer, Middleware } from "../middleware/chain.js" */
/** @import { StandardSchema } from "../request/schema.js" */
/** @import { Handler, Route } from "./route.js" */

/**
 * @typedef {object} RouteOptions
 * @property {number} [timeout] milliseconds from the first middleware of
 *   the route until the answer is written
 * @property {number} [bodyBytes] how many bytes of body there may be: 1 MiB
 *   unless given
 * @property {StandardSchema} [body] what the body has to be, as JSON
 * @property {boolean} [decompress] whether a body may come packed
 */

/**
 * @typedef {[
 *   pattern: string,
 *   ...more: (RouteOptions | Middleware)[],
 *   handler: Handler
 * ]} RouteArguments
 */

/**
 * Reads what follows a route's pattern: options, middleware, a handler.
 *
 * @param {string} route `GET /users/:id`
 * @returns {Partial<Route>}
 */
export function readRouteArguments(route, rest, addedAt) {
  const hasOptions = isPlainObject(rest[0]);
  const options = hasOptions ? rest[0] : {};
  const fns = hasOptions ? rest.slice(1) : rest;
  const handler = fns.pop();
  if (typeof handler !== "function") {
    throw new UsageError("ERR_HANDLER_INVALID", route, show(handler));
  }
  checkMiddleware(route, fns);
  const all = [...middlewareFor(options), ...fns];
  const layers = all.map((fn) => ({ fn, addedAt }));
  const { bodyBytes, decompress = false } = options;
  checkType("decompress", decompress, "boolean");
  if (bodyBytes !== undefined) checkLimit("bodyBytes", bodyBytes);
  const wrapped = handlerFor(options, handler);
  return { layers, handler: wrapped, bodyBytes, decompress };
}

function handlerFor({ body }, handler) {
  if (body === undefined) return handler;
  if (isSchema(body)) return withBody(body, handler);
  const details = ["body", "a Standard Schema", show(body)];
  throw new UsageError("ERR_OPTION_INVALID", ...details);
}

// A router, an array or a Map isn't meant to be options.
function isPlainObject(value) {
  if (typeof value !== "object" || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

// What a route's options ask for, from the outside in.
function middlewareFor(options) {
  refuseUnknown(options, ["timeout", "bodyBytes", "body", "decompress"]);
  const { timeout } = options;
  return timeout === undefined ? [] : [deadline(timeout)];
}

export function checkMiddleware(where, fns) {
  for (const fn of fns) {
    const why = whyNoMiddleware(fn);
    if (why === "") continue;
    throw new UsageError("ERR_MIDDLEWARE_INVALID", where, why);
  }
}

function whyNoMiddleware(fn) {
  if (typeof fn === "object" && typeof fn?.mount === "function") {
    return "a router is added by mount(path, router)";
  }
  if (typeof fn !== "function") return `${show(fn)} is no function`;
  if (fn.length < 4) return "";
  return "with four parameters, it is one for router.onError(handler)";
}

import { METHODS } from "node:http";
import { show, UsageError } from "../errors.js";

/** The method of a route that answers every method. */
export const ALL = Symbol("ALL");

// CONNECT is no request to node:http, but an event of the server.
const EVERY_METHOD = METHODS.filter((method) => method !== "CONNECT");

export function checkMethod(method) {
  if (EVERY_METHOD.includes(method)) return;
  const why = whyNoRequestHas(method);
  throw new UsageError("ERR_METHOD_INVALID", show(method), why);
}

function whyNoRequestHas(method) {
  const upperCase = String(method).toUpperCase();
  if (EVERY_METHOD.includes(upperCase)) return `write "${upperCase}"`;
  if (upperCase === "ALL") return "use all(pattern, handler)";
  return "node:http has no request event for it";
}

// The methods that some routes answer together, sorted. Where there is any
// route, OPTIONS is answered.
export function methodsOf(routes) {
  const methods = new Set(routes.length > 0 ? ["OPTIONS"] : []);
  for (const { method } of routes) {
    const answered = method === ALL ? EVERY_METHOD : [method];
    for (const one of answered) methods.add(one);
  }
  if (methods.has("GET")) methods.add("HEAD");
  return [...methods].sort();
}

import { show, UsageError } from "../errors.js";

/** @import { Response } from "./response.js" */

/**
 * Turns what a handler returned into what can be sent, and sets the content
 * type, unless the handler has.
 *
 * @param {Response} res
 * @param {unknown} value
 * @returns {any} a string, a Uint8Array, or a stream of them
 * @throws {UsageError} ERR_BODY_INVALID
 */
export function serialize(res, value) {
  if (typeof value === "string") {
    setType(res, "text/plain; charset=utf-8");
    return value;
  }
  if (isBytes(value) || isStream(value)) {
    setType(res, "application/octet-stream");
    return value instanceof ArrayBuffer ? new Uint8Array(value) : value;
  }
  const json = toJson(value);
  setType(res, "application/json");
  return json;
}

export function toJson(value) {
  if (value instanceof Error || value instanceof globalThis.Response) {
    const why = "throw errors, and return what to send";
    throw new UsageError("ERR_BODY_INVALID", show(value), why);
  }
  const json = JSON.stringify(value);
  if (json !== undefined) return json;
  throw new UsageError("ERR_BODY_INVALID", show(value), "it has no JSON");
}

export function setType(res, type) {
  if (!res.hasHeader("content-type")) res.setHeader("content-type", type);
}

export function isStream(value) {
  return typeof value?.[Symbol.asyncIterator] === "function";
}

function isBytes(value) {
  return ArrayBuffer.isView(value) || value instanceof ArrayBuffer;
}

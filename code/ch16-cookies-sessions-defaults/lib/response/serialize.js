import { show, UsageError } from "../errors.js";

/**
 * Turns what a handler returned into what can be sent.
 *
 * @param {unknown} value
 * @returns {{ type: string, body: any }} the content type, and a string, a
 *   Uint8Array, or a stream of them
 * @throws {UsageError} ERR_BODY_INVALID
 */
export function serialize(value) {
  if (typeof value === "string") {
    return { type: "text/plain; charset=utf-8", body: value };
  }
  if (isBytes(value) || isStream(value)) {
    const isBuffer = value instanceof ArrayBuffer;
    const body = isBuffer ? new Uint8Array(value) : value;
    return { type: "application/octet-stream", body };
  }
  return { type: "application/json", body: toJson(value) };
}

export function toJson(value) {
  if (value instanceof Error) {
    const why = "throw errors, and return what to send";
    const what = `the error ${show(value.message)}`;
    throw new UsageError("ERR_BODY_INVALID", what, why);
  }
  if (value instanceof globalThis.Response) {
    const why = "return its body";
    throw new UsageError("ERR_BODY_INVALID", "a web Response", why);
  }
  if (ArrayBuffer.isView(value)) {
    const why = "return bytes as a Uint8Array";
    throw new UsageError("ERR_BODY_INVALID", show(value), why);
  }
  const json = JSON.stringify(value);
  if (json !== undefined) return json;
  throw new UsageError("ERR_BODY_INVALID", show(value), "it has no JSON");
}

export function isStream(value) {
  return typeof value?.[Symbol.asyncIterator] === "function";
}

function isBytes(value) {
  return value instanceof Uint8Array || value instanceof ArrayBuffer;
}

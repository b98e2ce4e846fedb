import { types } from "node:util";
import { quote } from "./text.js";

/** @import { Names } from "./names.js" */

const MOST_DEPTH = 6;
const MOST_ENTRIES = 100;

// How much is written by one of these before the rest is left out.
const MOST_TEXT = 32_768;

// What an error has that Object.keys doesn't tell.
const ERROR_KEYS = ["name", "message", "code", "stack", "cause", "errors"];

const REDACTED = '"[redacted]"';

/** Writes values as JSON, whatever they are. */
export class ValueWriter {
  #names;
  #left = MOST_TEXT;
  /** @type {object[]} the objects that the value is in */
  #above = [];

  /** @param {Names} names */
  constructor(names) {
    this.#names = names;
  }

  /** @returns {string | undefined} undefined for what JSON leaves out */
  write(value) {
    const left = this.#left;
    const json = this.#writeAny(value);
    // It has in it what was counted on the way.
    if (json !== undefined) this.#left = left - json.length;
    return json;
  }

  #writeAny(value) {
    switch (typeof value) {
      case "string":
        return quote(value);
      case "number":
        return Number.isFinite(value) ? String(value) : `"${value}"`;
      case "boolean":
        return value ? "true" : "false";
      case "undefined":
        return undefined;
      case "object":
        return value === null ? "null" : this.#writeObject(value);
      case "bigint":
        return isLarge(value) ? '"[large bigint]"' : `"${value}"`;
      case "symbol":
        return quote(String(value));
      default:
        return '"[function]"';
    }
  }

  #writeObject(object) {
    if (this.#above.includes(object)) return '"[circular]"';
    if (this.#above.length === MOST_DEPTH) return '"[deep]"';
    this.#above.push(object);
    try {
      return this.#writeOpen(object);
    } catch {
      return '"[unreadable]"';
    } finally {
      this.#above.pop();
    }
  }

  #writeOpen(object) {
    if (isError(object)) return this.#writeError(object);
    if (ArrayBuffer.isView(object)) return `"[${object.byteLength} bytes]"`;
    if (types.isRegExp(object)) return quote(String(object));
    const hasEntries = types.isMap(object) || types.isSet(object);
    if (hasEntries) return quote(`[${object.size} entries]`);
    if (typeof object.toJSON === "function") {
      return this.write(object.toJSON());
    }
    if (Array.isArray(object)) return this.#writeArray(object);
    return `{${this.writeEntries(object, Object.keys(object))}}`;
  }

  #writeError(err) {
    const keys = ERROR_KEYS.filter((key) => key in err);
    for (const key of Object.keys(err)) {
      if (!keys.includes(key)) keys.push(key);
    }
    return `{${this.writeEntries(err, keys)}}`;
  }

  #writeArray(array) {
    const items = [];
    const length = Math.min(array.length, MOST_ENTRIES);
    for (let i = 0; i < length && this.#left > 0; i += 1) {
      items.push(this.#writeItem(array, i) ?? "null");
    }
    const more = array.length - items.length;
    if (more > 0) items.push(`"[${more} more]"`);
    return `[${items.join()}]`;
  }

  // Behind a secret's name, in rawHeaders for example, stands its value.
  #writeItem(array, i) {
    const name = i > 0 ? array[i - 1] : undefined;
    const isSecret = typeof name === "string" && this.#names.isSecret(name);
    return isSecret ? REDACTED : this.#writeEntry(array, i);
  }

  writeEntries(object, keys) {
    let entries = "";
    let count = 0;
    for (const key of keys) {
      if (count === MOST_ENTRIES || this.#left <= 0) {
        return `${entries},"[more]":${keys.length - count}`.slice(1);
      }
      count += 1;
      const { json, isSecret } = this.#names.look(key);
      const value = isSecret ? REDACTED : this.#writeEntry(object, key);
      if (value === undefined) continue;
      this.#left -= json.length;
      entries += `,${json}${value}`;
    }
    return entries.slice(1);
  }

  // A getter may throw, and whatever is inside.
  #writeEntry(object, key) {
    try {
      return this.write(object[key]);
    } catch {
      return '"[unreadable]"';
    }
  }
}

/** An error of any context, or a DOMException. */
export function isError(value) {
  if (types.isNativeError(value)) return true;
  try {
    return value instanceof Error;
  } catch {
    return false;
  }
}

// A number of a million digits would hold up everybody, too.
function isLarge(number) {
  return BigInt.asIntN(1024, number) !== number;
}

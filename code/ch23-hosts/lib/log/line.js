import { cut, quote } from "./text.js";
import { isError, ValueWriter } from "./value.js";

// A line has these itself. A field of the same name gets a "_".
const OURS = ["time", "level", "message"];

const NONE = {};

/**
 * Gives fields names that the line itself doesn't have.
 *
 * @param {unknown} fields
 * @param {object} [own] fields whose names are the line's as well
 */
export function asFields(fields, own = NONE) {
  if (fields === undefined || fields === null) return NONE;
  try {
    return rename(asNamed(fields), [...OURS, ...Object.keys(own)]);
  } catch {
    return { fields: "[unreadable]" };
  }
}

/** Writes fields as JSON, with a comma before them. */
export function writeFields(fields, names) {
  if (fields === NONE) return "";
  try {
    const writer = new ValueWriter(names);
    const entries = writer.writeEntries(fields, Object.keys(fields));
    return entries === "" ? "" : `,${entries}`;
  } catch {
    return ',"fields":"[unreadable]"';
  }
}

function asNamed(fields) {
  if (isError(fields)) return { err: fields };
  const isNamed = typeof fields === "object" && !Array.isArray(fields);
  return isNamed ? fields : { value: fields };
}

function rename(fields, taken) {
  if (!taken.some((name) => Object.hasOwn(fields, name))) return fields;
  const renamed = { ...fields };
  for (const name of taken) {
    if (!Object.hasOwn(renamed, name)) continue;
    let other = name;
    while (Object.hasOwn(renamed, other)) other += "_";
    renamed[other] = renamed[name];
    delete renamed[name];
  }
  return renamed;
}

/** Writes a message, which should be a string, and may be anything. */
export function writeMessage(message, names) {
  if (typeof message === "string") return quote(message);
  const json = new ValueWriter(names).write(message) ?? "undefined";
  return json.startsWith('"') ? json : quote(cut(json, 1024));
}

let second = -1;
let prefix = "";

/** Writes a time. Of most lines only the milliseconds are new. */
export function writeTime(now) {
  const milliseconds = now % 1000;
  if (now - milliseconds !== second) {
    second = now - milliseconds;
    prefix = new Date(second).toISOString().slice(0, 20);
  }
  return `"${prefix}${String(milliseconds).padStart(3, "0")}Z"`;
}

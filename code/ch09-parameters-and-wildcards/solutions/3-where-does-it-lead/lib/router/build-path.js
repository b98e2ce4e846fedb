import { show, UsageError } from "../errors.js";

// The path that a pattern matches with certain values.
export function buildPath(parts, params) {
  const pieces = parts.map(({ kind, text }) => {
    if (kind === "static") return text;
    const value = Object.hasOwn(params, text) ? params[text] : undefined;
    // A wildcard's value may be empty, and have slashes of its own.
    const isPath = kind === "wildcard";
    const isMissing = value === undefined || value === null;
    if (isMissing || (value === "" && !isPath)) {
      throw new UsageError("ERR_VALUE_INVALID", text, show(value));
    }
    const segments = isPath ? `${value}`.split("/") : [`${value}`];
    return segments.map((one) => escapeSegment(text, one)).join("/");
  });
  return pieces.join("");
}

// Dots can be escaped, but a path means the same with the escape. Half of a
// surrogate pair can't be escaped.
function escapeSegment(name, segment) {
  if (segment === "." || segment === ".." || !segment.isWellFormed()) {
    throw new UsageError("ERR_VALUE_INVALID", name, show(segment));
  }
  return encodeURIComponent(segment);
}

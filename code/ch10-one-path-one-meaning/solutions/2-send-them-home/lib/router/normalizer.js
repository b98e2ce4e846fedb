import { checkOptions, checkType, refuseUnknown } from "../options.js";

const NAMES = [
  "ignoreCase",
  "ignoreTrailingSlash",
  "redirectTrailingSlash",
];

// What a pattern ends in if the slash doesn't matter.
const END_SLASH = { kind: "static", text: "/" };

/** Makes one path of all those that a router takes for the same. */
export class Normalizer {
  #ignoresCase;
  #ignoresSlash;

  constructor(options) {
    checkOptions("Router", options);
    refuseUnknown(options, NAMES);
    const { ignoreCase = false, ignoreTrailingSlash = false } = options;
    checkType("ignoreCase", ignoreCase, "boolean");
    checkType("ignoreTrailingSlash", ignoreTrailingSlash, "boolean");
    this.#ignoresCase = ignoreCase;
    this.#ignoresSlash = ignoreTrailingSlash;
  }

  withoutSlash(path) {
    if (!this.#ignoresSlash || path === "/") return path;
    return path.endsWith("/") ? path.slice(0, -1) : path;
  }

  normalize(path) {
    const text = this.withoutSlash(path);
    return this.#ignoresCase ? toLowerCase(text) : text;
  }

  normalizeParts(parts) {
    if (!this.#ignoresCase) return parts;
    return parts.map((part) => ({ ...part, text: toLowerCase(part.text) }));
  }

  // What is looked for in the tree: the normalized path, or one slash more,
  // so that an index in the key is also an index in the path.
  searchKey(normalized) {
    const hasEnd = !this.#ignoresSlash || normalized === "/";
    return hasEnd ? normalized : `${normalized}/`;
  }

  patternKey(parts) {
    const normalized = this.normalizeParts(parts);
    if (!this.#ignoresSlash) return normalized;
    const { kind, text } = normalized.at(-1);
    const hasEnd = kind === "wildcard" || text.endsWith("/");
    return hasEnd ? normalized : [...normalized, END_SLASH];
  }
}

// ASCII only, so that a text keeps its length; %2F is one character, and
// stays as it is.
function toLowerCase(text) {
  return text.replace(/%2F|[A-Z]+/g, (found) => {
    return found === "%2F" ? found : found.toLowerCase();
  });
}

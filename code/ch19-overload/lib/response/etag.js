import { hash } from "node:crypto";

/**
 * A strong entity tag: equal only for equal bytes.
 *
 * @param {string | Uint8Array} bytes
 */
export function etagOf(bytes) {
  return `"${hash("sha256", bytes, "base64url").slice(0, 22)}"`;
}

/** RFC 9110, section 8.8.3.2. @param {string} a @param {string} b */
export function isSameStrong(a, b) {
  return a === b && !a.startsWith("W/");
}

/** RFC 9110, section 8.8.3.2. @param {string} a @param {string} b */
export function isSameWeak(a, b) {
  return a.replace(/^W\//, "") === b.replace(/^W\//, "");
}

// A tag has quotes around it, and may have commas inside it.
const ENTITY_TAG = /(?:W\/)?"[^"]*"/g;

/** The tags of If-Match or If-None-Match. @param {string} list */
export function tagsOf(list) {
  return list.match(ENTITY_TAG) ?? [];
}

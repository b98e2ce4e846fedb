import { show, UsageError } from "../errors.js";

// What a URI may be written with (RFC 3986, section 2), and escapes.
const NOT_URI = /%(?![\dA-Fa-f]{2})|[^!#$%&'()*+,\-./:;=?@[\]_~\w]/gu;

// Control characters, and halves of characters.
const FORBIDDEN = /[\p{Cc}\p{Cs}]/u;

const SCHEME = /^[a-z][a-z\d+.-]*:/i;
const HTTP = /^https?:\/\/[^/]/i;
const USERINFO = /^https?:\/\/[^/?#]*@/i;

/**
 * Writes a place to go to so that it can be sent, and means the same to
 * every browser.
 *
 * @param {string} location a path, or an address with http or https
 * @throws {UsageError} ERR_LOCATION_INVALID
 */
export function encodeLocation(location) {
  const why = whyNot(location);
  if (why !== "") {
    throw new UsageError("ERR_LOCATION_INVALID", show(location), why);
  }
  return location.replace(NOT_URI, encodeURIComponent);
}

function whyNot(location) {
  if (typeof location !== "string") return "it is no string";
  if (FORBIDDEN.test(location)) return "no address has such characters";
  if (location.startsWith(" ")) return "it begins with a space";
  if (location.includes("\\")) return "a browser takes \\ for /";
  if (location.startsWith("//")) return "// leads to another host";
  if (SCHEME.test(location) && !HTTP.test(location)) {
    return "only http:// and https:// are places to go to";
  }
  if (USERINFO.test(location)) return "its host stands behind an @";
  return "";
}

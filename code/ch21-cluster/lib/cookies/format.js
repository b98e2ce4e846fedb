import { show, UsageError } from "../errors.js";
import { refuseUnknown } from "../options.js";
import { whyInvalid } from "./check.js";

/**
 * @typedef {object} CookieOptions
 * @property {string} [path] "/" unless given
 * @property {string} [domain] also this domain's other hosts get the cookie
 * @property {number} [maxAge] in seconds; as long as the browser runs,
 *   unless given
 * @property {Date} [expires] the same as a date
 * @property {boolean} [httpOnly] not for scripts: true unless given
 * @property {boolean} [secure] only over TLS, or to this machine
 * @property {"Strict" | "Lax" | "None"} [sameSite] "Lax" unless given
 * @property {boolean} [partitioned] one for each site that has a frame of
 *   ours: false unless given
 */

const NAMES = [
  "path",
  "domain",
  "maxAge",
  "expires",
  "httpOnly",
  "secure",
  "sameSite",
  "partitioned",
];

/**
 * Makes a Set-Cookie field (RFC 6265, section 4.1).
 *
 * @param {string} name
 * @param {string} value any text: what a cookie can't hold is escaped
 * @param {CookieOptions} [options]
 * @throws {UsageError} ERR_COOKIE_INVALID for what browsers would drop or
 *   read otherwise, ERR_OPTION_UNKNOWN
 */
export function formatCookie(name, value, options = {}) {
  refuseUnknown(options, NAMES);
  const text = encode(name, value);
  const attributes = withDefaults(name, options);
  const why = whyInvalid(name, text, attributes);
  if (why !== "")
    throw new UsageError("ERR_COOKIE_INVALID", show(name), why);
  return `${name}=${text}${formatAttributes(attributes)}`;
}

// Octets that a value may have (RFC 6265, section 4.1.1), without "%".
const PLAIN = /^[!#$&-+\--:<-[\]-~]*$/;

function encode(name, value) {
  if (typeof value !== "string" || /\p{Surrogate}/u.test(value)) {
    const why = "its value must be a string of whole characters";
    throw new UsageError("ERR_COOKIE_INVALID", show(name), why);
  }
  return PLAIN.test(value) ? value : encodeURIComponent(value);
}

function withDefaults(name, options) {
  const { path = "/", httpOnly = true, sameSite = "Lax" } = options;
  const { secure = /^__(host|http|secure)-/i.test(name) } = options;
  const { partitioned = false } = options;
  return { ...options, path, httpOnly, secure, sameSite, partitioned };
}

// addCookie() looks for the path, and behind it for what else tells two
// cookies with one name apart.
function formatAttributes(attributes) {
  const { path, domain, maxAge, expires, sameSite } = attributes;
  let text = `; Path=${path}`;
  if (domain !== undefined) text += `; Domain=${domain}`;
  if (attributes.partitioned) text += "; Partitioned";
  if (maxAge !== undefined) text += `; Max-Age=${maxAge}`;
  if (expires !== undefined) text += `; Expires=${expires.toUTCString()}`;
  if (attributes.httpOnly) text += "; HttpOnly";
  if (attributes.secure) text += "; Secure";
  return `${text}; SameSite=${sameSite}`;
}

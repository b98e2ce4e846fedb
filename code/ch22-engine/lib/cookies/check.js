const TOKEN = /^[!#$%&'*+.^`|~\w-]+$/;
const LABEL = "[a-z\\d](?:[a-z\\d-]*[a-z\\d])?";
const DOMAIN = new RegExp(`^\\.?${LABEL}(?:\\.${LABEL})*$`, "i");
// What is visible in ASCII, and the space, without ";".
const PATH = /^\/[ -:<-~]*$/;

const MOST_BYTES = 4096;
const MOST_ATTRIBUTE_BYTES = 1024;
const MOST_SECONDS = 400 * 24 * 60 * 60;
// A date before it isn't read (RFC 6265, section 5.1.1).
const FIRST_DATE = Date.UTC(1601, 0);

/**
 * Says why browsers would drop a cookie, or read it otherwise than it is
 * meant (RFC 6265, and the drafts rfc6265bis-22, section 5.7,
 * layered-cookies-02, section 4.1.3, and partitioned-cookies-01, section
 * 2.1).
 *
 * @param {string} name
 * @param {string} text its value, as it is sent
 * @param {Record<string, any>} attributes
 * @returns {string} "" if they take it
 */
export function whyInvalid(name, text, attributes) {
  const { path, domain, secure, httpOnly, sameSite } = attributes;
  const { partitioned } = attributes;
  const isName = typeof name === "string" && TOKEN.test(name);
  if (!isName) return "the name isn't valid";
  if (name.length + text.length > MOST_BYTES) {
    return `name and value are longer than ${MOST_BYTES} bytes`;
  }
  if (!isShort(PATH, path)) return "the path must begin with / (ASCII)";
  if (domain !== undefined && !isShort(DOMAIN, domain)) {
    return "the domain isn't valid";
  }
  if (![secure, httpOnly, partitioned].every(isFlag)) {
    return "httpOnly, secure and partitioned must be true or false";
  }
  if (!["Strict", "Lax", "None"].includes(sameSite)) {
    return "sameSite must be Strict, Lax or None";
  }
  if (!secure && sameSite === "None") return "SameSite=None needs secure";
  if (!secure && partitioned) return "partitioned needs secure";
  return whyNoPrefix(name, attributes) || whyNoTime(attributes);
}

function isFlag(value) {
  return typeof value === "boolean";
}

/** @param {string} name @param {Record<string, any>} attributes */
function whyNoPrefix(name, { path, domain, secure, httpOnly }) {
  const prefixes = /^__(?:secure|host-http|host|http)-/i;
  const [prefix] = prefixes.exec(name) ?? [];
  if (prefix === undefined) return "";
  if (!secure) return `${prefix} needs secure`;
  if (/http-$/i.test(prefix) && !httpOnly) {
    return `${prefix} needs httpOnly`;
  }
  const isForThisHost = path === "/" && domain === undefined;
  if (/^__host-/i.test(prefix) && !isForThisHost) {
    return `${prefix} needs the path / and no domain`;
  }
  return "";
}

function isShort(form, text) {
  return String(text).length <= MOST_ATTRIBUTE_BYTES && form.test(text);
}

// Browsers keep nothing longer than 400 days: more is a mistake, and most
// likely one of milliseconds.
/** @param {Record<string, any>} attributes */
function whyNoTime({ maxAge = 0, expires }) {
  if (!Number.isInteger(maxAge) || maxAge < 0 || maxAge > MOST_SECONDS) {
    return "maxAge must be whole seconds, at most 400 days";
  }
  if (expires === undefined) return "";
  const time = expires instanceof Date ? expires.getTime() : Number.NaN;
  const isNear = time <= Date.now() + MOST_SECONDS * 1000;
  if (isNear && time >= FIRST_DATE) return "";
  return "expires must be a date, at most 400 days from now";
}

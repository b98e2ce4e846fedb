// Browsers should keep 50 for one domain, or more (RFC 6265, section 6.1).
const MOST = 200;

// Its objects inherit nothing. With Object.create(null) in place of this, a
// field with one cookie took several times as long for us (Node 26).
function Cookies() {}
Cookies.prototype = Object.create(null);

/**
 * Reads a Cookie field (RFC 6265, section 5.4). Of several cookies with one
 * name the first counts: it has the longest path.
 *
 * @param {string} field
 * @returns {Record<string, string>} an object that inherits nothing
 */
export function parseCookies(field) {
  const cookies = new Cookies();
  let start = 0;
  for (let count = 0; start < field.length && count < MOST; count += 1) {
    const next = field.indexOf(";", start);
    const end = next === -1 ? field.length : next;
    addPair(cookies, field.slice(start, end));
    start = end + 1;
  }
  return cookies;
}

function addPair(cookies, pair) {
  const equals = pair.indexOf("=");
  if (equals === -1) return;
  const name = trim(pair, 0, equals);
  if (name === "" || cookies[name] !== undefined) return;
  cookies[name] = readValue(trim(pair, equals + 1, pair.length));
}

function readValue(text) {
  const isQuoted = text.length > 1 && text[0] === '"' && text.endsWith('"');
  const value = isQuoted ? text.slice(1, -1) : text;
  if (!value.includes("%")) return value;
  try {
    return decodeURIComponent(value);
  } catch {
    // Somebody else's cookie, with another idea of "%".
    return value;
  }
}

function trim(text, start, end) {
  while (start < end && isBlank(text.charCodeAt(start))) start += 1;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

function isBlank(code) {
  return code === 0x20 || code === 0x09;
}

import { show, UsageError } from "../errors.js";

// A canonical path is text: split at its slashes, then decoded. Only a
// slash and a percent sign inside a segment stay written as %2F and %25, so
// that two different paths are never the same text.

/** A request target that is malformed or could mean two things: a 400. */
export class TargetError extends Error {}

// A path without any of these is canonical as it is.
const NEEDS_WORK = /[%\\?#]|\/[/.]/;

// What no name, file or log line should contain.
const CONTROL = /[\p{Cc}\u2028\u2029]/u;

// RFC 9112, section 3.2: a target is visible ASCII, without fragment.
const FORBIDDEN = /[^!-~]|#/;

// RFC 9112, section 3.2.2, without the userinfo that no client may send.
const ABSOLUTE_FORM = /^https?:\/\/([^/@\\:][^/@\\]*)(\/.*)?$/i;

// RFC 3986, section 3.2.2: an address in brackets or a name; then a port.
// A comma, which RFC 3986 allows in a name, would look like two hosts.
const HOST =
  /^(?:\[[\da-f:.]+\]|(?:[\w.~!$&'()*+;=-]|%[\da-f]{2})*)(?::\d*)?$/i;

// For a target that no request has brought.
export function checkTarget(target) {
  if (typeof target === "string") return;
  throw new UsageError("ERR_TARGET_INVALID", show(target));
}

/**
 * The canonical path of a request target, in origin-form or absolute-form.
 *
 * @param {string} target
 * @param {string} [host] which an absolute-form target must not contradict
 * @throws {TargetError}
 */
export function pathOf(target, host) {
  if (FORBIDDEN.test(target)) {
    throw new TargetError("a character that has to be escaped");
  }
  const mark = target.indexOf("?");
  const beforeQuery = mark === -1 ? target : target.slice(0, mark);
  if (beforeQuery.startsWith("/")) return canonicalPath(beforeQuery);
  const absolute = ABSOLUTE_FORM.exec(beforeQuery);
  if (absolute === null) throw new TargetError("an unknown form");
  const [, authority, path] = absolute;
  if (!isHost(authority)) throw new TargetError("a malformed host");
  if (host !== undefined && !isSameText(authority, host)) {
    throw new TargetError("another host than the Host field");
  }
  return canonicalPath(path || "/");
}

/** @param {string} path in visible ASCII that starts with a slash */
export function canonicalPath(path) {
  if (!NEEDS_WORK.test(path)) return path;
  if (/[\\?#]/.test(path)) {
    throw new TargetError("a \\, ? or # that isn't escaped");
  }
  const segments = path.slice(1).split("/").map(canonicalSegment);
  if (segments.slice(0, -1).includes("")) {
    throw new TargetError("an empty segment");
  }
  return `/${segments.join("/")}`;
}

function canonicalSegment(segment) {
  const text = decode(segment);
  // Also behind an escaped slash, for whoever makes a file's name of it.
  const pieces = text.split(/[/\\]/);
  if (pieces.some((piece) => piece === "." || piece === "..")) {
    throw new TargetError("a dot segment");
  }
  if (CONTROL.test(text)) throw new TargetError("a control character");
  return text.replaceAll("%", "%25").replaceAll("/", "%2F");
}

function decode(segment) {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new TargetError("a broken escape");
  }
}

function isSameText(a, b) {
  return a.toLowerCase() === b.toLowerCase();
}

/** What a segment of a canonical path says: its parameter's value. */
export function segmentValue(segment) {
  return segment.replaceAll("%2F", "/").replaceAll("%25", "%");
}

/** A canonical path as a target that means it, in ASCII. */
export function targetOf(path) {
  return path.replace(/[^!-~]|[?#\\]/gu, encodeURIComponent);
}

// Most requests name the same one.
let lastHost = "";

/** Whether a Host field names one host (RFC 9112, section 3.2). */
export function isHost(host) {
  if (host === lastHost) return true;
  if (!isOneHost(host)) return false;
  lastHost = host;
  return true;
}

function isOneHost(host) {
  if (!HOST.test(host)) return false;
  const addressEnd = host.indexOf("]") + 1;
  if (addressEnd === 0) return true;
  return URL.canParse(`http://${host.slice(0, addressEnd)}`);
}

/**
 * One path, one meaning. Whatever reads a path, in velocy or in a program
 * built on it, reads the canonical one that is made here, once.
 *
 * A canonical path is text. Each segment is decoded, after the target was
 * split at its slashes; only a slash and a percent sign inside a segment
 * stay written as %2F and %25, so that two different paths never look the
 * same. Where two programs could read one target differently (dot
 * segments, empty segments, backslashes), it is refused.
 */

/** A request target that is malformed or could mean two things: a 400. */
export class BadTarget extends Error {}

/** Paths without any of these are canonical as they are: nearly all. */
const NEEDS_WORK = /[%\\?#]|\/[/.]/;

/** What no name, file or log line should contain. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: meant
const CONTROL = /[\0-\x1f\x7f]/;

/** RFC 9112, section 3.2: a target is visible ASCII, without fragment. */
const FORBIDDEN = /[^!-~]|#/;

/** RFC 9112, section 3.2.2, without the userinfo that nobody may send. */
const ABSOLUTE_FORM = /^https?:\/\/([^/@\\]+)(\/.*)?$/i;

/**
 * The canonical path of a request target, in origin-form or absolute-form.
 *
 * @param {string} target as `req.url` has it
 * @param {string} [host] the Host field, which an absolute-form target
 *   must not contradict
 * @returns {string}
 * @throws {BadTarget}
 */
export function pathOf(target, host) {
  if (FORBIDDEN.test(target)) {
    throw new BadTarget("a character that has to be escaped");
  }
  const mark = target.indexOf("?");
  const beforeQuery = mark === -1 ? target : target.slice(0, mark);
  if (beforeQuery.startsWith("/")) return canonicalPath(beforeQuery);
  const absolute = ABSOLUTE_FORM.exec(beforeQuery);
  if (absolute === null) throw new BadTarget("neither a path nor a URL");
  const [, authority, path] = absolute;
  if (host !== undefined && !isSameText(authority, host)) {
    throw new BadTarget("a host that is not the Host field's");
  }
  return canonicalPath(path || "/");
}

/**
 * The canonical form of a path.
 *
 * @param {string} path starts with a slash
 * @returns {string}
 * @throws {BadTarget}
 */
export function canonicalPath(path) {
  if (!NEEDS_WORK.test(path)) return path;
  if (/[\\?#]/.test(path)) throw new BadTarget("a \\, ? or # in a path");
  const segments = path.slice(1).split("/").map(canonicalSegment);
  if (segments.slice(0, -1).includes("")) {
    throw new BadTarget("an empty segment");
  }
  return `/${segments.join("/")}`;
}

/** @param {string} segment */
function canonicalSegment(segment) {
  const text = decode(segment);
  // Also behind an escaped slash, for whoever makes a file's name of it.
  const pieces = text.split(/[/\\]/);
  if (pieces.some((piece) => piece === "." || piece === "..")) {
    throw new BadTarget("a dot segment");
  }
  if (CONTROL.test(text)) throw new BadTarget("a control character");
  return text.replaceAll("%", "%25").replaceAll("/", "%2F");
}

/** @param {string} segment */
function decode(segment) {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new BadTarget("a broken escape");
  }
}

/**
 * @param {string} a
 * @param {string} b
 */
function isSameText(a, b) {
  return a.toLowerCase() === b.toLowerCase();
}

/**
 * What a segment of a canonical path says: its parameter's value.
 *
 * @param {string} segment
 */
export function segmentValue(segment) {
  return segment.replaceAll("%2F", "/").replaceAll("%25", "%");
}

/**
 * The shortest target that means a path.
 *
 * @param {string} path canonical
 * @returns {string} ASCII: `pathOf(canonicalTarget(path)) === path`
 */
export function canonicalTarget(path) {
  return path.replace(/[^!-~]|[?#\\]/gu, encodeURIComponent);
}

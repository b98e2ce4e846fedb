import { UsageError } from "../errors.js";
import { parseDate } from "./date.js";
import { isSameStrong, isSameWeak, tagsOf } from "./etag.js";

/** @import { IncomingHttpHeaders } from "node:http" */

/**
 * What tells one version of a resource from another. None of them: there is
 * no version.
 *
 * @typedef {object} Validators
 * @property {string} [etag] as it is sent: `"x"` or `W/"x"`
 * @property {Date | number} [lastModified] a number is milliseconds
 */

/**
 * Judges a request's preconditions (RFC 9110, section 13.2.2).
 *
 * @param {string} method
 * @param {IncomingHttpHeaders} fields of the request
 * @param {Validators} validators of the version that there is now
 * @returns {200 | 304 | 412} 200: do what the request asks for
 */
export function judgePreconditions(method, fields, validators) {
  const { etag = "", lastModified } = validators;
  const exists = etag !== "" || lastModified !== undefined;
  const changedAt = wholeSeconds(lastModified);
  const isRead = method === "GET" || method === "HEAD";
  const ifMatch = fields["if-match"];
  const ifNoneMatch = fields["if-none-match"];

  if (ifMatch !== undefined) {
    if (!matches(ifMatch, etag, exists, isSameStrong)) return 412;
  } else if (changedAt > dateIn(fields["if-unmodified-since"])) return 412;

  if (ifNoneMatch !== undefined) {
    if (matches(ifNoneMatch, etag, exists, isSameWeak)) {
      return isRead ? 304 : 412;
    }
  } else if (isRead) {
    if (changedAt <= dateIn(fields["if-modified-since"])) return 304;
  }
  return 200;
}

// A tag without quotes equals none, no comparison with NaN is true, and
// Number(null) is 0, the beginning of 1970.
export function checkValidators({ etag, lastModified }) {
  if (etag !== undefined && !/^(W\/)?"[^"]*"$/.test(etag)) {
    const why = "a tag has quotes around it";
    throw new UsageError("ERR_VALIDATOR_INVALID", `${etag}`, why);
  }
  if (lastModified !== undefined && !isTime(lastModified)) {
    const why = "it is neither a date nor milliseconds";
    throw new UsageError("ERR_VALIDATOR_INVALID", `${lastModified}`, why);
  }
}

function isTime(value) {
  const isKnown = typeof value === "number" || value instanceof Date;
  return isKnown && !Number.isNaN(Number(value));
}

function matches(list, etag, exists, isSame) {
  if (list.trim() === "*") return exists;
  return tagsOf(list).some((tag) => isSame(tag, etag));
}

// Where there is no date it is NaN, and no comparison with NaN is true.
function dateIn(field = "") {
  return parseDate(field);
}

// A field has whole seconds, and files have fractions.
function wholeSeconds(date) {
  if (date === undefined) return Number.NaN;
  return Math.floor(Number(date) / 1000) * 1000;
}

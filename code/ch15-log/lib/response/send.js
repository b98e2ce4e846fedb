import { UsageError } from "../errors.js";
import { parseDate } from "./date.js";
import { judgePreconditions } from "./preconditions.js";
import { isStream, serialize } from "./serialize.js";
import { answerStatus, hasNoBody } from "./status.js";
import { discard, sendStream } from "./stream.js";

/** @import { Response } from "./response.js" */

/**
 * Sends a value: a string, bytes, a stream, or what JSON has a form for.
 *
 * @param {Response} res
 * @param {unknown} value
 * @param {string} [knownType] the content type, if the value doesn't tell
 * @returns {Promise<void> | undefined} a promise if it is a stream
 * @throws {UsageError} ERR_ANSWERED, ERR_BODY_INVALID
 */
export function send(res, value, knownType) {
  try {
    return sendValue(res, value, knownType);
  } catch (err) {
    // What goes wrong while it ends isn't told: this error came first.
    if (isStream(value)) discard(value).catch(() => {});
    throw err;
  }
}

function sendValue(res, value, knownType) {
  if (res.headersSent) throw new UsageError("ERR_ANSWERED");
  if (hasNoBody(res.statusCode)) return sendNothing(res, value);
  const { type, body } = serialize(value);
  const statusCode = statusByPreconditions(res);
  if (statusCode !== res.statusCode) {
    // Of the 200: middleware goes by them, and the head of a 304 drops them.
    setType(res, knownType ?? type);
    if (!isStream(body)) {
      res.setHeader("content-length", Buffer.byteLength(body));
    }
    answerPrecondition(res, statusCode);
    return isStream(body) ? discard(body) : undefined;
  }
  if (isStream(body)) {
    setType(res, knownType ?? type);
    if (res.req.method === "HEAD") return sendNothing(res, body);
    return sendStream(res, body);
  }
  sendWhole(res, body, knownType ?? type);
}

export function setType(res, type) {
  if (!res.hasHeader("content-type")) res.setHeader("content-type", type);
}

function sendNothing(res, value) {
  res.end();
  return isStream(value) ? discard(value) : undefined;
}

// RFC 9110, section 13.2.1: only what would succeed has preconditions.
function statusByPreconditions(res) {
  const { statusCode, req } = res;
  const etag = String(res.getHeader("etag") ?? "");
  const lastModified = res.getHeader("last-modified");
  if (etag === "" && lastModified === undefined) return statusCode;
  if (statusCode > 299) return statusCode;
  if (req.method !== "GET" && req.method !== "HEAD") return statusCode;
  const judged = judgePreconditions(req.method, req.headers, {
    etag,
    lastModified: parseDate(lastModified ?? ""),
  });
  return judged === 200 ? statusCode : judged;
}

const CONTENT_FIELDS = [
  "content-encoding",
  "content-language",
  "content-length",
  "content-range",
  "content-type",
];

// No cache may keep a 412 as it would have kept the content.
const CACHE_FIELDS = ["cache-control", "expires"];

/** @param {Response} res @param {number} statusCode 304 or 412 */
export function answerPrecondition(res, statusCode) {
  if (statusCode !== 304) dropContent(res);
  if (statusCode === 412) {
    for (const name of CACHE_FIELDS) res.removeHeader(name);
  }
  answerStatus(res, statusCode);
}

/** @param {Response} res */
export function dropContent(res) {
  for (const name of CONTENT_FIELDS) res.removeHeader(name);
}

function sendWhole(res, body, type) {
  /** @type {Record<string, string | number>} */
  const fields = {};
  if (!res.hasHeader("content-type")) fields["content-type"] = type;
  fields["content-length"] = Buffer.byteLength(body);
  res.writeHead(res.statusCode, fields);
  res.end(body);
}

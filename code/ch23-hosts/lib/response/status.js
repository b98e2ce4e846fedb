import { STATUS_CODES } from "../http.js";

/** @import { Response } from "./response.js" */

// RFC 9110, sections 15.3.5, 15.3.6 and 15.4.5.
export function hasNoBody(statusCode) {
  return statusCode === 204 || statusCode === 205 || statusCode === 304;
}

const PROBLEM = "application/problem+json";

// Text is what a client gets that has no preference.
const TYPES = ["text/plain", PROBLEM, "application/json"];

/**
 * Answers with a status and a sentence: as text, or as a problem (RFC 9457)
 * to whoever prefers JSON.
 *
 * @param {Response} res
 * @param {number} statusCode
 * @param {string} [detail] for the client
 * @param {object} [members] of the problem
 */
export function answerStatus(res, statusCode, detail = "", members = {}) {
  if (hasNoBody(statusCode)) {
    res.writeHead(statusCode).end();
    return;
  }
  const title = STATUS_CODES[statusCode] ?? "Unknown";
  const isText = (res.req.accepts(TYPES) ?? "text/plain") === "text/plain";
  const body = isText
    ? `${detail || title}\n`
    : problem({ title, ...members, status: statusCode }, detail);
  res.vary("accept");
  res.writeHead(statusCode, {
    "content-type": isText ? "text/plain; charset=utf-8" : PROBLEM,
    "content-length": Buffer.byteLength(body),
  });
  res.end(body);
}

function problem(members, detail) {
  const said = detail === "" ? members : { ...members, detail };
  return `${JSON.stringify(said)}\n`;
}

import { fieldsPage } from "./fields-page.js";

/** @import { Request } from "./parse-request.js" */
/** @import { Response } from "./response.js" */

/**
 * Answers with what the server understood of a request: with a page for a
 * browser, and with JSON for everybody else.
 *
 * @param {Request} request
 * @returns {Response}
 */
export function describeRequest(request) {
  if (wantsHtml(request)) {
    return {
      statusCode: 200,
      fields: { "content-type": "text/html; charset=utf-8" },
      body: fieldsPage(request.fields),
    };
  }
  const body = request.body.toString();
  return {
    statusCode: 200,
    fields: { "content-type": "application/json" },
    body: JSON.stringify({ ...request, body }),
  };
}

/**
 * Is text/html one of the types that the client names?
 * (RFC 9110, section 12.5.1)
 *
 * @param {Request} request
 * @returns {boolean}
 */
function wantsHtml({ fields }) {
  return String(fields.accept)
    .toLowerCase()
    .split(",")
    .some((range) => range.split(";")[0].trim() === "text/html");
}

import { parseTarget } from "./parse-target.js";

/** @import { Request } from "./parse-request.js" */
/** @import { Response } from "./response.js" */

/**
 * Answers with what the server understood of a request.
 *
 * @param {Request} request
 * @returns {Response}
 */
export function describeRequest(request) {
  const { path, query } = parseTarget(request.target);
  const body = request.body.toString();
  return {
    statusCode: 200,
    fields: { "content-type": "application/json" },
    body: JSON.stringify({ ...request, path, query, body }),
  };
}

/** @import { Request } from "./request-parser.js" */
/** @import { Response } from "./response.js" */

/**
 * Answers with what the server understood of a request.
 *
 * @param {Request} request
 * @returns {Response}
 */
export function describeRequest(request) {
  const body = request.body.toString();
  return {
    statusCode: 200,
    fields: { "content-type": "application/json" },
    body: JSON.stringify({ ...request, body }),
  };
}

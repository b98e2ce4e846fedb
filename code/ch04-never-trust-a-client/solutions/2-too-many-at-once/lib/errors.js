/** A request that is refused, and the status that says why. */
export class HttpError extends Error {
  /**
   * @param {number} statusCode
   * @param {string} message what is wrong, for the one who sent it
   * @param {Record<string, string>} [fields] what the response is to have
   *   beside the usual ones
   */
  constructor(statusCode, message, fields = {}) {
    super(message);
    this.name = "HttpError";
    this.statusCode = statusCode;
    this.fields = fields;
  }
}

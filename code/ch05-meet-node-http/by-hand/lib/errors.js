/** A request that is refused, and the status that says why. */
export class HttpError extends Error {
  /**
   * @param {number} statusCode
   * @param {string} message what is wrong, for the one who sent it
   */
  constructor(statusCode, message) {
    super(message);
    this.name = "HttpError";
    this.statusCode = statusCode;
  }
}

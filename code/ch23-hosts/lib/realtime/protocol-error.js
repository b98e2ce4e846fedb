/** What a client sent that it may not, with the code to close with. */
export class ProtocolError extends Error {
  /** @param {number} closeCode @param {string} message */
  constructor(closeCode, message) {
    super(message);
    this.closeCode = closeCode;
  }
}

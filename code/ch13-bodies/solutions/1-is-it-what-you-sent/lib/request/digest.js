import { createHash } from "node:crypto";
import { HttpError } from "../errors.js";

const SHA_256 = /(?:^|,)[ \t]*sha-256=:([A-Za-z0-9+/]*={0,2}):/;

/** Compares a body with its Content-Digest (RFC 9530), as it comes. */
export class Digest {
  #hash = createHash("sha256");
  #expected;

  /** @param {string} expected in Base64 */
  constructor(expected) {
    this.#expected = Buffer.from(expected, "base64");
  }

  /**
   * @param {string | undefined} field
   * @returns {Digest | null} null if the field has no digest that we know
   */
  static from(field) {
    const match = SHA_256.exec(field ?? "");
    return match && new Digest(match[1]);
  }

  /** @param {Buffer} chunk */
  update(chunk) {
    this.#hash.update(chunk);
  }

  /** @throws {HttpError} 400 */
  check() {
    if (this.#hash.digest().equals(this.#expected)) return;
    throw new HttpError(400, "the body isn't what its digest says");
  }
}

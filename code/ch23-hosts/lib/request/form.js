import { HttpError } from "../errors.js";

const MOST_FIELDS = 1000;

/**
 * Reads a form, which is written like a query.
 *
 * @param {string} text
 * @throws {HttpError} 413
 */
export function parseForm(text) {
  const fields = text.split("&", MOST_FIELDS + 1);
  if (fields.length > MOST_FIELDS) {
    throw new HttpError(413, "the form has too many fields");
  }
  return new URLSearchParams(`?${text}`);
}

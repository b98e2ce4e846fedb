import { HttpError } from "../errors.js";
import { FULL } from "./host.js";
import { canUnpack, codings, unpack } from "./unpack.js";

/** @import { Request } from "./request.js" */

/** How many bytes a body may have, unless its route says otherwise. */
export const DEFAULT_BODY_BYTES = 1024 * 1024;

/** A body of so many bytes is taken in, whether it is read or not. */
export const SMALL_BODY_BYTES = 64 * 1024;

/**
 * How many bytes of body are announced: NaN, which is neither more nor
 * less than any number, if they come in chunks or nobody knows.
 *
 * @param {string[]} rawHeaders names and values in turn
 * @returns {number}
 */
export function bodyLengthOf(rawHeaders) {
  if (rawHeaders.length >= FULL) return NaN;
  let length = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i];
    if (name.length !== 14 && name.length !== 17) continue;
    const lowerCased = name.toLowerCase();
    if (lowerCased === "transfer-encoding") return NaN;
    if (lowerCased === "content-length") length = Number(rawHeaders[i + 1]);
  }
  return length;
}

/** Answers in a handler's place. */
export function refuseBody() {
  throw new HttpError(413);
}

/**
 * The content of a body: its bytes, unpacked if the route asks for it.
 *
 * @param {Request} req
 * @returns {AsyncIterable<Buffer>}
 * @throws {HttpError} 415
 */
export function contentOf(req) {
  const coding = req.headers["content-encoding"]?.toLowerCase();
  if (coding === undefined || coding === "identity") return req;
  const mayUnpack = req.route?.decompress === true;
  if (mayUnpack && canUnpack(coding)) {
    return unpack(req, coding, req.bodyBytes);
  }
  const accepted = mayUnpack ? codings : "identity";
  throw new HttpError(415, `the body's coding must be ${accepted}`, {
    headers: { "accept-encoding": accepted },
  });
}

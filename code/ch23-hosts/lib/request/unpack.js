import { pipeline } from "node:stream/promises";
import * as zlib from "node:zlib";
import { HttpError } from "../errors.js";

// RFC 9110, section 8.4.1. Older versions of Node have no zstd.
/** @type {Record<string, () => import("node:stream").Duplex & zlib.Zlib>} */
const UNPACKERS = {
  gzip: zlib.createGunzip,
  "x-gzip": zlib.createGunzip,
  deflate: zlib.createInflate,
  br: zlib.createBrotliDecompress,
};
if (zlib.createZstdDecompress !== undefined) {
  UNPACKERS.zstd = zlib.createZstdDecompress;
}

/** What can be unpacked, as Accept-Encoding says it. */
export const codings = Object.keys(UNPACKERS).join(", ");

export function canUnpack(coding) {
  return Object.hasOwn(UNPACKERS, coding);
}

/**
 * Undoes a content coding.
 *
 * @param {import("node:stream").Readable} source
 * @param {string} coding
 * @param {number} mostBytes of what comes out
 * @returns {AsyncGenerator<Buffer, void>}
 * @throws {HttpError} 400, 413
 */
export async function* unpack(source, coding, mostBytes) {
  const unpacker = UNPACKERS[coding]();
  let packedBytes = 0;
  const fed = pipeline(async function* count() {
    for await (const piece of source) {
      packedBytes += piece.length;
      yield piece;
    }
  }, unpacker);
  // What fails there fails the loop here as well.
  fed.catch(() => {});
  let bytes = 0;
  try {
    for await (const piece of unpacker) {
      bytes += piece.length;
      if (bytes > mostBytes) throw new HttpError(413);
      yield piece;
    }
    await fed;
  } catch (err) {
    if (err instanceof HttpError || err === source.errored) throw err;
    throw new HttpError(400, `the body isn't ${coding}`, { cause: err });
  }
  // Some unpackers stop at the end of their format and skip the rest.
  if (unpacker.bytesWritten !== packedBytes) {
    throw new HttpError(400, "there are bytes behind the packed ones");
  }
}

import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { HttpError } from "../errors.js";
import { isMissing } from "./missing.js";

/** @import { Stats } from "node:fs" */

// Opening a named pipe would wait for somebody to write into it.
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

const CHUNK_BYTES = 256 * 1024;

/**
 * Reads a part of a file in chunks, when somebody asks for them. Nothing is
 * open before the first one is asked for, nor after the last one or when
 * the reader stops.
 *
 * @param {string} path
 * @param {Stats} stats of the file that is meant
 * @param {number} start the first byte
 * @param {number} end the byte after the last one
 * @throws {HttpError} 503 if it isn't that file any more
 */
export async function* readPart(path, stats, start, end) {
  const handle = await openFile(path);
  try {
    if (!isSameFile(await handle.stat(), stats)) throw changed(path);
    let at = start;
    while (at < end) {
      const length = Math.min(CHUNK_BYTES, end - at);
      const chunk = Buffer.allocUnsafe(length);
      const { bytesRead } = await handle.read(chunk, 0, length, at);
      if (bytesRead === 0) throw changed(path);
      at += bytesRead;
      if (at === end) await checkContent(handle, stats, path);
      yield chunk.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}

// Whoever gets the last chunk has the rest of the same content.
async function checkContent(handle, stats, path) {
  const { size, mtimeMs } = await handle.stat();
  if (size !== stats.size || mtimeMs !== stats.mtimeMs) throw changed(path);
}

/** Reads a whole file. @param {Stats} stats of the file that is meant */
export async function readWhole(path, stats) {
  const handle = await openFile(path);
  try {
    if (!isSameFile(await handle.stat(), stats)) throw changed(path);
    const content = await handle.readFile();
    await checkContent(handle, stats, path);
    return content;
  } finally {
    await handle.close();
  }
}

async function openFile(path) {
  try {
    return await open(path, FLAGS);
  } catch (cause) {
    if (isMissing(cause)) throw new HttpError(404, undefined, { cause });
    throw unreadable(cause);
  }
}

/** Whether nobody wrote to a file, or put another one in its place. */
export function isSameFile(a, b) {
  return (
    a.ino === b.ino &&
    a.dev === b.dev &&
    a.size === b.size &&
    a.mtimeMs === b.mtimeMs &&
    a.ctimeMs === b.ctimeMs
  );
}

function changed(path) {
  return unreadable(new Error(`${path} was changed while it was read`));
}

function unreadable(cause) {
  const options = { headers: { "retry-after": "1" }, cause };
  return new HttpError(503, "the file can't be read now", options);
}

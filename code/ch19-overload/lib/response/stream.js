import { Readable } from "node:stream";
import { ReadableStream } from "node:stream/web";
import { show, UsageError } from "../errors.js";

/** @import { Response } from "./response.js" */

/**
 * Sends what comes, as it comes. The head goes with the first chunk, so
 * that what fails before it can still become an honest status.
 *
 * @param {Response} res
 * @param {AsyncIterable<string | Uint8Array>} source
 */
export async function sendStream(res, source) {
  const { keptSocket: socket } = res.req;
  if (socket.destroyed) return discard(source);
  const stream = asNodeStream(source);
  const stop = () => stream.destroy?.();
  socket.once("close", stop);
  try {
    for await (const chunk of stream) {
      if (socket.destroyed) return;
      checkChunk(chunk);
      if (!res.write(chunk)) await room(res, socket);
    }
    res.end();
  } catch (err) {
    // What we have stopped ourselves is no error.
    if (!socket.destroyed || !isPrematureClose(err)) throw err;
  } finally {
    socket.off("close", stop);
  }
}

/** Ends a stream that nobody has begun to read. */
export async function discard(stream) {
  if (typeof stream.destroy === "function") {
    // An error without a listener would end the process.
    stream.on("error", () => {});
    stream.destroy();
    return;
  }
  await (stream.cancel ?? stream.return)?.call(stream);
}

function isPrematureClose(err) {
  return err?.code === "ERR_STREAM_PREMATURE_CLOSE";
}

function checkChunk(chunk) {
  if (typeof chunk === "string" || chunk instanceof Uint8Array) return;
  const why = "a stream is of strings and bytes";
  throw new UsageError("ERR_BODY_INVALID", show(chunk), why);
}

// A web stream that somebody reads can't be cancelled; a Node stream can be
// destroyed.
function asNodeStream(source) {
  const isWeb = source instanceof ReadableStream;
  return isWeb ? Readable.fromWeb(source) : source;
}

// Resolves when there is room for more, or nobody is left to want it.
export function room(res, socket) {
  return new Promise((resolve) => {
    const done = () => {
      res.off("drain", done);
      res.off("close", done);
      socket.off("close", done);
      resolve(undefined);
    };
    res.on("drain", done);
    res.on("close", done);
    socket.on("close", done);
  });
}

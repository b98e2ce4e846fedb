/** How long the last lines may take, in milliseconds. */
export const LAST_WORDS = 1000;

const cell = new Int32Array(new SharedArrayBuffer(4));

/** Waits, and the event loop with it. */
export function pause(milliseconds) {
  Atomics.wait(cell, 0, 0, milliseconds);
}

/** Tells of a failure where the log can't. */
export function warn(err) {
  // Some codes are numbers, and Node refuses them.
  const options = err.code === undefined ? {} : { code: String(err.code) };
  process.emitWarning(`the log: ${err.message}`, options);
}

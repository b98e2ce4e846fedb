const LINE_FEED = 10;
const MOST_BYTES = 64 * 1024;

/**
 * Whom to read again when a stream can be written to again. One listener
 * serves them all: Node warns of more than ten.
 *
 * @type {WeakMap<object, Set<import("node:stream").Readable>>}
 */
const paused = new WeakMap();

/**
 * Passes what a worker writes on in whole lines, so that the lines of several
 * workers don't mix.
 *
 * @param {import("node:stream").Readable} from
 * @param {import("node:stream").Writable} to
 */
export function passLines(from, to) {
  let rest = Buffer.alloc(0);
  const write = (bytes) => {
    if (!to.write(bytes) && !to.destroyed) pauseFor(to, from);
  };
  from.on("data", (chunk) => {
    const all = Buffer.concat([rest, chunk]);
    const end = all.lastIndexOf(LINE_FEED) + 1;
    // A line without an end isn't kept for ever.
    const length = all.length - end < MOST_BYTES ? end : all.length;
    rest = all.subarray(length);
    if (length > 0) write(all.subarray(0, length));
  });
  from.on("end", () => {
    if (rest.length > 0) write(Buffer.concat([rest, Buffer.from("\n")]));
  });
}

function pauseFor(to, from) {
  from.pause();
  const others = paused.get(to);
  if (others !== undefined) {
    others.add(from);
    return;
  }
  const all = new Set([from]);
  paused.set(to, all);
  const goOn = () => {
    paused.delete(to);
    to.off("drain", goOn).off("close", goOn);
    for (const each of all) each.resume();
  };
  to.on("drain", goOn).on("close", goOn);
}

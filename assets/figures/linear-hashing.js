/** @import { Canvas } from "./lib.js" */

/** What comes, in this order: the last bits of each item's hash. */
const hashes = [0b000, 0b101, 0b010, 0b100];

/** As the store's `#bucketOf`. @param {number} hash @param {number} mask @param {number} split */
function bucketOf(hash, mask, split) {
  const bucket = hash & mask;
  return bucket < split ? hash & (mask * 2 + 1) : bucket;
}

/**
 * The buckets, each with its chain, the newest first.
 *
 * @param {number} mask
 * @param {number} split
 */
function table(mask, split) {
  /** @type {number[][]} */
  const buckets = Array.from({ length: mask + 1 + split }, () => []);
  for (const hash of hashes) buckets[bucketOf(hash, mask, split)].unshift(hash);
  return buckets.map((chain, bucket) => {
    const isDealtOut = bucket < split || bucket > mask;
    return { name: bits(bucket, isDealtOut ? 3 : 2), chain, isDealtOut };
  });
}

/** @param {number} number @param {number} count */
function bits(number, count) {
  return number.toString(2).padStart(count, "0");
}

const rowHeight = 48;

/**
 * @param {Canvas} canvas
 * @param {number} x
 * @param {number} y
 * @param {string} title
 * @param {ReturnType<typeof table>} buckets
 * @param {number} [marked] the bucket that is dealt out now
 */
function drawTable(canvas, x, y, title, buckets, marked) {
  canvas.text(x, y + 18, title, { weight: 600 });
  for (const [i, { name, chain, isDealtOut }] of buckets.entries()) {
    const top = y + 34 + i * rowHeight;
    const isMarked = isDealtOut || i === marked;
    canvas.labelledBox(x, top, 62, 36, name, {
      fill: isMarked ? "accent-fill" : "fill",
      stroke: isMarked ? "accent" : "line",
      radius: 2,
      text: { mono: true, size: 18, color: isMarked ? "accent" : "ink" },
    });
    for (const [n, hash] of chain.entries()) {
      const left = x + 92 + n * 92;
      canvas.arrow([left - 30, top + 18, left - 2, top + 18], { color: "line" });
      canvas.labelledBox(left, top, 62, 36, `…${bits(hash, 3)}`, {
        fill: "blue-fill",
        stroke: "blue",
        radius: 18,
        text: { mono: true, size: 18, color: "blue" },
      });
    }
  }
}

export default {
  title: "One step of linear hashing",
  description:
    "Before the step there are four buckets and split is 0. The lower two bits of a hash choose the bucket: 00 has the hashes 100 and 000, 01 has 101, 10 has 010, and 11 has none. After the step there are five buckets and split is 1. The first bucket is now 000 and has the hash 000. The new bucket, 100, has the hash 100. The others haven't moved.",

  /** @param {Canvas} canvas */
  wide(canvas) {
    drawTable(canvas, 1, 0, "before: split is 0", table(3, 0), 0);
    drawTable(canvas, 360, 0, "after: split is 1", table(3, 1));
    canvas.height = 34 + 5 * rowHeight;
  },

  /** @param {Canvas} canvas */
  narrow(canvas) {
    drawTable(canvas, 1, 0, "before: split is 0", table(3, 0), 0);
    drawTable(canvas, 1, 250, "after: split is 1", table(3, 1));
    canvas.height = 284 + 5 * rowHeight;
  },
};

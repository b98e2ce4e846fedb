import { STATE } from "../../code/ch28-cache/lib/slabs.js";
import { Store } from "../../code/ch28-cache/lib/store.js";
import { monoWidth } from "./lib.js";

/** @import { Canvas, Colour } from "./lib.js" */

/** The item of the text. Its words HEAD and DATA are the last before its bytes. */
const store = new Store(2 ** 20);
const item = store.reserve(Buffer.from("drink"), 0, 5, 7, 0, 4);
store.slabs.bytes.write("thé\r\n", store.dataOf(item));
const { words } = store.slabs;
const head = words[item + 8];

/** @type {[index: number, name: string, says: string][]} */
const rows = [
  [0, "NEXT", "next in its list"],
  [1, "STATE", `${words[item + STATE]}, being written`],
  [2, "PREVIOUS", "previous in its list"],
  [3, "CHAIN", "next in its bucket"],
  [4, "CAS", "version, 2 words"],
  [6, "EXPIRES", `${words[item + 6]}: never over`],
  [7, "HASH", "the key's"],
  [8, "HEAD", `${head >>> 16} and ${head & 0xffff} bytes`],
  [9, "DATA", `${words[item + 9]} bytes`],
];

/** @type {{ text: string, says: string, color: Colour | "ink", least: number }[]} */
const bytes = [
  { text: "drink", says: "key", color: "blue", least: 0 },
  { text: " 7 4", says: "flags, length", color: "green", least: 112 },
  { text: "CR LF", says: "", color: "ink", least: 0 },
  { text: "thé", says: "data", color: "accent", least: 70 },
  { text: "CR LF", says: "", color: "ink", least: 0 },
];

/**
 * @param {Canvas} canvas
 * @param {number} x
 * @param {number} y
 * @param {typeof rows} some
 */
function drawWords(canvas, x, y, some) {
  for (const [i, [index, name, says]] of some.entries()) {
    const top = y + i * 44;
    canvas.text(x + 12, top + 24, String(index), { anchor: "middle", color: "soft", size: 18 });
    canvas.labelledBox(x + 28, top, 104, 36, name, {
      fill: "paper",
      radius: 2,
      text: { mono: true, size: 18 },
    });
    canvas.text(x + 144, top + 24, says, { size: 18 });
  }
}

/**
 * @param {Canvas} canvas
 * @param {number} x
 * @param {number} y
 * @param {typeof bytes} some
 */
function drawBytes(canvas, x, y, some) {
  let left = x;
  for (const { text, says, color, least } of some) {
    const width = Math.max(least, monoWidth(text, 18) + 18);
    const isPlain = color === "ink";
    canvas.labelledBox(left, y, width, 36, text, {
      fill: isPlain ? "fill" : /** @type {Colour} */ (`${color}-fill`),
      stroke: isPlain ? "line" : color,
      radius: 2,
      text: { mono: true, size: 18, color: isPlain ? "soft" : color },
    });
    canvas.text(left + 2, y + 58, says, { size: 18, color: isPlain ? "soft" : color });
    left += width;
  }
}

export default {
  title: "An item: ten words, then the bytes that get answers",
  description:
    "The item with the key drink, the flags 7 and four bytes of data. Word 0, NEXT, and word 2, PREVIOUS: its neighbours in the list of its class. Word 1, STATE: 1, it is being written. Word 3, CHAIN: the next item in its bucket. Words 4 and 5, CAS: its version. Word 6, EXPIRES: 0, never over. Word 7, HASH: the key's. Word 8, HEAD: 5 and 11 bytes. Word 9, DATA: 4 bytes. Then its bytes: drink, 7 4, CR LF, thé, CR LF.",

  /** @param {Canvas} canvas */
  wide(canvas) {
    drawWords(canvas, 1, 1, rows.slice(0, 5));
    drawWords(canvas, 356, 1, rows.slice(5));
    drawBytes(canvas, 29, 240, bytes);
    canvas.height = 310;
  },

  /** @param {Canvas} canvas */
  narrow(canvas) {
    drawWords(canvas, 1, 1, rows);
    drawBytes(canvas, 29, 412, bytes.slice(0, 3));
    drawBytes(canvas, 29, 494, bytes.slice(3));
    canvas.height = 562;
  },
};

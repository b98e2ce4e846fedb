/** @import { BoxStyle, Canvas } from "./lib.js" */

/** States that read lines, and states that read a known number of bytes. */
const line = /** @type {const} */ ({ fill: "blue-fill", stroke: "blue", radius: 20 });
const bytes = /** @type {const} */ ({ fill: "green-fill", stroke: "green", radius: 20 });

const on = /** @type {const} */ ({ width: 1.5 });
const back = /** @type {const} */ ({ color: "accent", width: 1.5 });
const soft = /** @type {const} */ ({ color: "soft" });
const done = /** @type {const} */ ({ color: "accent" });

export default {
  title: "The states of the parser",
  description:
    "It begins in request line. A line leads to field line, and each field line to the next. At " +
    "the empty line it goes on to body when there is a length, to chunk size when the body is " +
    "chunked, and back to request line when there is no body. From body it goes back to request " +
    "line after the last byte. Chunk size leads to chunk data, that to chunk end, and that back " +
    "to chunk size. A size of zero leads to trailer line, and the empty line there back to " +
    "request line.",

  /** @param {Canvas} canvas */
  wide(canvas) {
    canvas.labelledBox(40, 40, 150, 42, "request line", line);
    canvas.labelledBox(294, 40, 150, 42, "field line", line);
    canvas.labelledBox(40, 190, 150, 42, "body", bytes);
    canvas.labelledBox(294, 190, 150, 42, "chunk size", line);
    canvas.labelledBox(530, 190, 150, 42, "chunk data", bytes);
    canvas.labelledBox(530, 310, 150, 42, "chunk end", line);
    canvas.labelledBox(294, 310, 150, 42, "trailer line", line);

    canvas.arrow([191, 61, 292, 61], on);
    canvas.text(241, 54, "a line", { ...soft, anchor: "middle" });
    canvas.arrow([340, 83, 150, 188], on);
    canvas.text(262, 158, "a length", { ...soft, anchor: "middle" });
    canvas.arrow([380, 83, 380, 188], on);
    canvas.text(390, 142, "chunked", soft);
    canvas.arrow([445, 211, 528, 211], on);
    canvas.text(486, 204, "a size", { ...soft, anchor: "middle" });
    canvas.arrow([620, 233, 620, 308], on);
    canvas.text(630, 277, "all", soft);
    canvas.arrow([545, 314, 430, 230], on);
    canvas.text(496, 270, "CR LF", soft);
    canvas.arrow([355, 233, 355, 308], on);
    canvas.text(345, 277, "size 0", { ...soft, anchor: "end" });
    canvas.arrow([415, 40, 425, 14, 470, 30, 446, 52], { ...on, curved: true });
    canvas.text(474, 36, "one more line", soft);
    canvas.arrow([415, 352, 425, 378, 470, 362, 446, 340], { ...on, curved: true });

    canvas.arrow([340, 40, 340, 14, 115, 14, 115, 38], back);
    canvas.text(150, 30, "no body", done);
    canvas.arrow([115, 190, 115, 84], back);
    canvas.text(105, 142, "last byte", { ...done, anchor: "end" });
    canvas.arrow([293, 331, 10, 331, 10, 61, 38, 61], back);
    canvas.text(28, 322, "empty line", done);
    canvas.height = 384;
  },

  /** @param {Canvas} canvas */
  narrow(canvas) {
    canvas.labelledBox(60, 36, 140, 40, "request line", line);
    canvas.labelledBox(60, 124, 140, 40, "field line", line);
    canvas.labelledBox(30, 248, 96, 40, "body", bytes);
    canvas.labelledBox(162, 248, 130, 40, "chunk size", line);
    canvas.labelledBox(162, 346, 130, 40, "chunk data", bytes);
    canvas.labelledBox(162, 444, 130, 40, "chunk end", line);
    canvas.labelledBox(30, 346, 110, 40, "trailer line", line);

    canvas.arrow([110, 77, 110, 122], on);
    canvas.text(120, 106, "a line", soft);
    canvas.arrow([100, 165, 78, 246], on);
    canvas.text(80, 206, "a length", { ...soft, anchor: "end" });
    canvas.arrow([164, 165, 220, 246], on);
    canvas.text(206, 206, "chunked", soft);
    canvas.arrow([227, 289, 227, 344], on);
    canvas.text(237, 323, "a size", soft);
    canvas.arrow([227, 387, 227, 442], on);
    canvas.text(217, 421, "its last byte", { ...soft, anchor: "end" });
    canvas.arrow([293, 464, 312, 464, 312, 268, 294, 268], on);
    canvas.text(304, 421, "CR LF", { ...soft, anchor: "end" });
    canvas.arrow([176, 289, 112, 344], on);
    canvas.text(134, 312, "size 0", { ...soft, anchor: "end" });

    canvas.arrow([201, 144, 226, 144, 226, 56, 202, 56], back);
    canvas.text(236, 106, "no body", done);
    canvas.arrow([30, 268, 8, 268, 8, 56, 58, 56], back);
    canvas.arrow([30, 366, 8, 366, 8, 260], { ...back, arrow: false });
    canvas.text(1, 18, "complete: the next one begins", done);
    canvas.height = 490;
  },
};

/** @import { BoxStyle, Canvas } from "./lib.js" */

/** States that read lines, and states that read a known number of bytes. */
const line = /** @type {const} */ ({ fill: "blue-fill", stroke: "blue", radius: 20 });
const bytes = /** @type {const} */ ({ fill: "green-fill", stroke: "green", radius: 20 });

const arrow = /** @type {const} */ ({ arrow: true, color: "ink", width: 1.5 });
const back = /** @type {const} */ ({ arrow: true, color: "accent", width: 1.5 });
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

    canvas.line(
      [
        [191, 61],
        [292, 61],
      ],
      arrow,
    );
    canvas.text(241, 54, "a line", { ...soft, anchor: "middle" });
    canvas.line(
      [
        [340, 83],
        [150, 188],
      ],
      arrow,
    );
    canvas.text(262, 158, "a length", { ...soft, anchor: "middle" });
    canvas.line(
      [
        [380, 83],
        [380, 188],
      ],
      arrow,
    );
    canvas.text(390, 142, "chunked", soft);
    canvas.line(
      [
        [445, 211],
        [528, 211],
      ],
      arrow,
    );
    canvas.text(486, 204, "a size", { ...soft, anchor: "middle" });
    canvas.line(
      [
        [620, 233],
        [620, 308],
      ],
      arrow,
    );
    canvas.text(630, 277, "all", soft);
    canvas.line(
      [
        [545, 314],
        [430, 230],
      ],
      arrow,
    );
    canvas.text(496, 270, "CR LF", soft);
    canvas.line(
      [
        [355, 233],
        [355, 308],
      ],
      arrow,
    );
    canvas.text(345, 277, "size 0", { ...soft, anchor: "end" });
    canvas.line(
      [
        [415, 40],
        [425, 14],
        [470, 30],
        [446, 52],
      ],
      { ...arrow, curved: true },
    );
    canvas.text(474, 36, "one more line", soft);
    canvas.line(
      [
        [415, 352],
        [425, 378],
        [470, 362],
        [446, 340],
      ],
      { ...arrow, curved: true },
    );

    canvas.line(
      [
        [340, 40],
        [340, 14],
        [115, 14],
        [115, 38],
      ],
      back,
    );
    canvas.text(150, 30, "no body", done);
    canvas.line(
      [
        [115, 190],
        [115, 84],
      ],
      back,
    );
    canvas.text(105, 142, "last byte", { ...done, anchor: "end" });
    canvas.line(
      [
        [293, 331],
        [10, 331],
        [10, 61],
        [38, 61],
      ],
      back,
    );
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

    canvas.line(
      [
        [110, 77],
        [110, 122],
      ],
      arrow,
    );
    canvas.text(120, 106, "a line", soft);
    canvas.line(
      [
        [100, 165],
        [78, 246],
      ],
      arrow,
    );
    canvas.text(80, 206, "a length", { ...soft, anchor: "end" });
    canvas.line(
      [
        [164, 165],
        [220, 246],
      ],
      arrow,
    );
    canvas.text(206, 206, "chunked", soft);
    canvas.line(
      [
        [227, 289],
        [227, 344],
      ],
      arrow,
    );
    canvas.text(237, 323, "a size", soft);
    canvas.line(
      [
        [227, 387],
        [227, 442],
      ],
      arrow,
    );
    canvas.text(217, 421, "its last byte", { ...soft, anchor: "end" });
    canvas.line(
      [
        [293, 464],
        [312, 464],
        [312, 268],
        [294, 268],
      ],
      arrow,
    );
    canvas.text(304, 421, "CR LF", { ...soft, anchor: "end" });
    canvas.line(
      [
        [176, 289],
        [112, 344],
      ],
      arrow,
    );
    canvas.text(134, 312, "size 0", { ...soft, anchor: "end" });

    canvas.line(
      [
        [201, 144],
        [226, 144],
        [226, 56],
        [202, 56],
      ],
      back,
    );
    canvas.text(236, 106, "no body", done);
    canvas.line(
      [
        [30, 268],
        [8, 268],
        [8, 56],
        [58, 56],
      ],
      back,
    );
    canvas.line(
      [
        [30, 366],
        [8, 366],
        [8, 260],
      ],
      { ...back, arrow: false },
    );
    canvas.text(1, 18, "complete: the next one begins", done);
    canvas.height = 490;
  },
};

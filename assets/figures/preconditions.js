/** @import { Canvas } from "./lib.js" */

const field = /** @type {const} */ ({ fill: "blue-fill", stroke: "blue", text: { mono: true } });
const refusal = /** @type {const} */ ({ fill: "accent-fill", stroke: "accent" });
const spared = /** @type {const} */ ({ fill: "fill", stroke: "line" });
const doing = /** @type {const} */ ({ fill: "green-fill", stroke: "green" });

const on = /** @type {const} */ ({ width: 1.5 });
const no = /** @type {const} */ ({ color: "accent", width: 1.5 });
const soft = /** @type {const} */ ({ color: "soft" });
const failed = /** @type {const} */ ({ color: "accent" });

export default {
  title: "The order of the preconditions",
  description:
    "First If-Match: if no tag is the same, the answer is 412; if one is, If-None-Match is next. " +
    "Without If-Match, If-Unmodified-Since: if there was a change, the answer is 412. Then " +
    "If-None-Match: if a tag is the same, the answer is 304 to GET and HEAD, and 412 to other " +
    "methods; if none is, the request is done. Without it, If-Modified-Since, for GET and HEAD: " +
    "if there was no change, the answer is 304. Otherwise the request is done.",

  /** @param {Canvas} canvas */
  wide(canvas) {
    canvas.labelledBox(60, 10, 250, 42, "If-Match", field);
    canvas.labelledBox(60, 104, 250, 42, "If-Unmodified-Since", field);
    canvas.labelledBox(60, 216, 250, 42, "If-None-Match", field);
    canvas.labelledBox(60, 330, 250, 42, "If-Modified-Since", field);
    canvas.labelledBox(60, 424, 250, 42, "do what is asked", doing);

    canvas.labelledBox(514, 57, 170, 42, "412", refusal);
    canvas.arrow([311, 31, 595, 31, 595, 55], no);
    canvas.text(330, 22, "no tag is the same", failed);
    canvas.arrow([311, 125, 595, 125, 595, 101], no);
    canvas.text(330, 116, "changed since then", failed);

    canvas.labelledBox(514, 190, 170, 42, "412: others", refusal);
    canvas.labelledBox(514, 244, 170, 42, "304: GET, HEAD", spared);
    canvas.arrow([311, 237, 500, 237, 500, 211, 512, 211], no);
    canvas.arrow([500, 237, 500, 265, 512, 265], on);
    canvas.text(330, 228, "a tag is the same", failed);

    canvas.labelledBox(514, 330, 170, 42, "304: GET, HEAD", spared);
    canvas.arrow([311, 351, 512, 351], on);
    canvas.text(330, 342, "not changed since", soft);

    canvas.arrow([185, 53, 185, 102], on);
    canvas.text(195, 84, "not sent", soft);
    canvas.arrow([185, 147, 185, 214], on);
    canvas.text(195, 187, "not sent, or holds", soft);
    canvas.arrow([185, 259, 185, 328], on);
    canvas.text(195, 300, "not sent", soft);
    canvas.arrow([185, 373, 185, 422], on);
    canvas.text(195, 404, "not sent, or holds", soft);

    canvas.arrow([59, 31, 24, 31, 24, 231, 58, 231], on);
    canvas.text(34, 84, "holds", soft);
    canvas.arrow([59, 245, 24, 245, 24, 445, 58, 445], on);
    canvas.text(34, 300, "holds", soft);
    canvas.height = 478;
  },

  /** @param {Canvas} canvas */
  narrow(canvas) {
    canvas.labelledBox(26, 10, 226, 40, "If-Match", field);
    canvas.labelledBox(26, 130, 226, 40, "If-Unmodified-Since", field);
    canvas.labelledBox(26, 262, 226, 40, "If-None-Match", field);
    canvas.labelledBox(26, 416, 226, 40, "If-Modified-Since", field);
    canvas.labelledBox(26, 544, 226, 40, "do what is asked", doing);

    canvas.labelledBox(256, 72, 62, 40, "412", refusal);
    canvas.arrow([253, 30, 287, 30, 287, 70], no);
    canvas.text(248, 70, "no tag same", { ...failed, anchor: "end" });
    canvas.arrow([253, 150, 287, 150, 287, 114], no);
    canvas.text(248, 122, "changed since", { ...failed, anchor: "end" });

    canvas.labelledBox(256, 326, 62, 40, "304", spared);
    canvas.labelledBox(256, 196, 62, 40, "412", refusal);
    canvas.arrow([253, 274, 287, 274, 287, 238], no);
    canvas.arrow([253, 290, 287, 290, 287, 324], on);
    canvas.text(248, 254, "same tag: others", { ...failed, anchor: "end" });
    canvas.text(248, 324, "GET, HEAD", { ...soft, anchor: "end" });

    canvas.labelledBox(256, 480, 62, 40, "304", spared);
    canvas.arrow([253, 436, 287, 436, 287, 478], on);
    canvas.text(248, 478, "not changed since", { ...soft, anchor: "end" });

    canvas.arrow([60, 51, 60, 128], on);
    canvas.text(70, 96, "not sent", soft);
    canvas.arrow([60, 171, 60, 260], on);
    canvas.text(70, 206, "not sent, or holds", soft);
    canvas.arrow([60, 303, 60, 414], on);
    canvas.text(70, 374, "not sent", soft);
    canvas.arrow([60, 457, 60, 542], on);
    canvas.text(70, 524, "not sent, or holds", soft);

    canvas.arrow([26, 30, 8, 30, 8, 276, 24, 276], on);
    canvas.arrow([26, 290, 8, 290, 8, 564, 24, 564], on);
    canvas.text(8, 612, "Left: it is sent, and holds.", soft);
    canvas.height = 622;
  },
};

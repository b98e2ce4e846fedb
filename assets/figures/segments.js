/** @import { Canvas } from "./lib.js" */

const client = 26;
const server = 196;

/**
 * The time lines of client and server; time goes down.
 *
 * @param {Canvas} canvas
 * @param {number} x of the panel
 * @param {number} y
 * @param {{ title: string, until: number }} panel
 */
function drawTimeLines(canvas, x, y, { title, until }) {
  canvas.text(x, y + 18, title, { weight: 600 });
  canvas.text(x, y + 52, "client", { color: "soft" });
  canvas.text(x + server, y + 52, "server", { color: "soft", anchor: "middle" });
  canvas.line([
    [x + client, y + 62],
    [x + client, y + until],
  ]);
  canvas.line([
    [x + server, y + 62],
    [x + server, y + until],
  ]);
}

/**
 * @param {Canvas} canvas
 * @param {number} x
 * @param {number} y where it leaves the client
 * @param {string} bytes
 * @param {number} [gap] how far from the server's line it ends
 */
function drawSegment(canvas, x, y, bytes, gap = 5) {
  canvas.arrow([x + client, y, x + server - gap, y + 24], { color: "blue" });
  canvas.text(x + client + 12, y - 5, bytes, { mono: true, size: 15, color: "blue" });
}

/**
 * @param {Canvas} canvas
 * @param {number} x
 * @param {number} y
 * @param {string[]} words
 */
function drawEvent(canvas, x, y, words) {
  canvas.labelledBox(x + server - 9, y, 62, 30, "data", {
    fill: "accent-fill",
    stroke: "accent",
    text: { mono: true, size: 17, color: "accent" },
  });
  canvas.paragraph(x + server + 10, y + 52, words);
}

/**
 * @param {Canvas} canvas
 * @param {number} x
 * @param {number} y
 */
function drawOneInTwo(canvas, x, y) {
  drawTimeLines(canvas, x, y, { title: "One request in two pieces", until: 290 });
  drawSegment(canvas, x, y + 94, "GET /hello HT", 10);
  drawEvent(canvas, x, y + 108, ["half a request"]);
  drawSegment(canvas, x, y + 200, "TP/1.1 …", 10);
  drawEvent(canvas, x, y + 214, ["the other half"]);
}

/**
 * @param {Canvas} canvas
 * @param {number} x
 * @param {number} y
 */
function drawTwoInOne(canvas, x, y) {
  drawTimeLines(canvas, x, y, { title: "Two requests in one data event", until: 290 });
  drawSegment(canvas, x, y + 94, "GET /one …");
  drawSegment(canvas, x, y + 134, "GET /two …");
  canvas.box(x + server - 5, y + 116, 10, 98, { fill: "blue-fill", stroke: "blue", radius: 0 });
  canvas.paragraph(x + server + 16, y + 146, ["both wait in", "the buffer"], { color: "soft" });
  drawEvent(canvas, x, y + 214, ["both at once"]);
}

export default {
  title: "Pieces and data events on a time line",
  description:
    "Above, a client sends one request in two pieces, with a pause between them. The server " +
    "gets two data events, each with half a request. Below, a client sends two requests one " +
    "after the other. Both wait in the server's receive buffer, and the server gets them in a " +
    "single data event.",

  /** @param {Canvas} canvas */
  wide(canvas) {
    drawOneInTwo(canvas, 1, 0);
    drawTwoInOne(canvas, 368, 0);
    canvas.height = 300;
  },

  /** @param {Canvas} canvas */
  narrow(canvas) {
    drawOneInTwo(canvas, 1, 0);
    drawTwoInOne(canvas, 1, 330);
    canvas.height = 630;
  },
};

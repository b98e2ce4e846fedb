import { monoWidth, wideWidth } from "./lib.js";

/** @import { Canvas } from "./lib.js" */

/**
 * What arrives at the back server on one connection: the attacker's bytes,
 * and then those of whoever comes next.
 */
const attack = [
  "POST / HTTP/1.1",
  "Host: example.com",
  "Content-Length: 29",
  "Transfer-Encoding: chunked",
  "",
  "0",
  "",
  "GET /admin HTTP/1.1",
  "X: ",
];
const visit = ["GET /home HTTP/1.1", "Host: example.com", "Cookie: id=4711", ""];

/** The chunked body ends with its seventh line; the rest is left over. */
const chunkedLines = 7;

/** Lines of the figure: the visitor's first joins the attacker's last. */
const total = attack.length + visit.length - 1;

/**
 * @param {Canvas} canvas
 * @param {number} x
 * @param {number} y
 * @param {{ size: number, step: number, width: number }} style
 */
function drawBytes(canvas, x, y, { size, step, width }) {
  const seam = x + 8 + monoWidth(attack[attack.length - 1], size);
  const seamTop = y + (attack.length - 1) * step;
  const plain = /** @type {const} */ ({ stroke: "none", radius: 0 });
  canvas.box(x, y, width, attack.length * step, { ...plain, fill: "accent-fill" });
  canvas.box(seam, seamTop, x + width - seam, step, { ...plain, fill: "blue-fill" });
  canvas.box(x, seamTop + step, width, (visit.length - 1) * step, { ...plain, fill: "blue-fill" });

  const baseline = (/** @type {number} */ line) => y + line * step + step * 0.7;
  const write = (/** @type {number} */ left, /** @type {number} */ line, text = "") => {
    const isEmpty = text === "";
    canvas.text(left, baseline(line), isEmpty ? "CR LF" : text, {
      mono: true,
      size,
      color: isEmpty ? "soft" : "ink",
    });
  };
  for (const [line, text] of attack.entries()) write(x + 8, line, text);
  for (const [index, text] of visit.entries()) {
    write(index === 0 ? seam : x + 8, attack.length - 1 + index, text);
  }
}

/**
 * A bracket beside some of the lines.
 *
 * @param {Canvas} canvas
 * @param {number} x
 * @param {number} from
 * @param {number} to
 * @param {{ depth: number, number: number, color: "accent" | "blue" }} style
 */
function drawBracket(canvas, x, from, to, { depth, number, color }) {
  canvas.line(
    [
      [x, from],
      [x + depth, from],
      [x + depth, to],
      [x, to],
    ],
    { color },
  );
  canvas.badge(x + depth, (from + to) / 2, number, color);
}

/**
 * Both servers' idea of where one request ends and the next begins.
 *
 * @param {Canvas} canvas
 * @param {{ left: number, right: number, top: number, step: number, depth: number }} place
 */
function drawBrackets(canvas, { left, right, top, step, depth }) {
  const at = (/** @type {number} */ line) => top + line * step;
  const front = attack.length;
  drawBracket(canvas, left, at(0), at(front - 0.5) - 2, {
    depth: -depth,
    number: 1,
    color: "accent",
  });
  drawBracket(canvas, left, at(front - 0.5) + 2, at(total), {
    depth: -depth,
    number: 2,
    color: "blue",
  });
  drawBracket(canvas, right, at(0), at(chunkedLines) - 2, { depth, number: 3, color: "accent" });
  drawBracket(canvas, right, at(chunkedLines) + 2, at(total), {
    depth,
    number: 4,
    color: "blue",
  });
}

export default {
  title: "A smuggled request between two servers",
  description:
    "The bytes on a connection from a front server to a back server. The attacker's request has " +
    "a Content-Length of 29 and Transfer-Encoding: chunked, and as its body a last chunk, 0, " +
    "followed by GET /admin and the beginning of a field, X. Then comes the request of another " +
    "visitor, GET /home with a cookie. The front server goes by Content-Length and sees these " +
    "two requests. The back server goes by Transfer-Encoding: to it the first request ends " +
    "after the 0, and the second is GET /admin, with the visitor's request line as the value of " +
    "X, and the visitor's cookie.",

  /** @param {Canvas} canvas */
  wide(canvas) {
    const step = 28;
    const top = 72;
    const width = 304;
    const left = 192;
    drawBytes(canvas, left, top, { size: 18, step, width });
    drawBrackets(canvas, { left: left - 8, right: left + width + 8, top, step, depth: 14 });

    canvas.text(0, 20, "The front server", { weight: 600 });
    canvas.text(0, 44, "by Content-Length", { color: "soft" });
    canvas.paragraph(0, 186, ["the attacker’s", "request"]);
    canvas.paragraph(0, 354, ["a visitor’s", "request"]);

    canvas.text(wideWidth, 20, "The back server", { weight: 600, anchor: "end" });
    canvas.text(wideWidth, 44, "by chunks", { color: "soft", anchor: "end" });
    canvas.paragraph(544, 158, ["the attacker’s", "request"]);
    canvas.paragraph(544, 318, ["GET /admin,", "with a visitor’s", "cookie"]);

    canvas.text(left + width / 2, 20, "one connection", { anchor: "middle", color: "soft" });
    canvas.height = top + total * step + 8;
  },

  /** @param {Canvas} canvas */
  narrow(canvas) {
    const step = 26;
    const top = 64;
    const left = 36;
    const width = 248;
    canvas.text(0, 18, "front server", { weight: 600 });
    canvas.text(320, 18, "back server", { weight: 600, anchor: "end" });
    canvas.text(0, 42, "Content-Length", { color: "soft" });
    canvas.text(320, 42, "chunks", { color: "soft", anchor: "end" });
    drawBytes(canvas, left, top, { size: 15, step, width });
    drawBrackets(canvas, { left: left - 6, right: left + width + 6, top, step, depth: 14 });
    canvas.height = canvas.steps(top + total * step + 34, [
      ["the attacker’s request"],
      ["a visitor’s request"],
      ["the attacker’s request"],
      ["GET /admin, with the", "visitor’s cookie"],
    ]);
  },
};

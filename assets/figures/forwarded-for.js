import { readNetworks } from "../../code/ch16-cookies-sessions-defaults/lib/request/address.js";
import { findIp } from "../../code/ch16-cookies-sessions-defaults/lib/request/ip.js";

/** @import { Canvas, Colour } from "./lib.js" */

const socket = "10.0.0.7";
const field = ["1.1.1.1", "192.0.2.1"];
const proxies = readNetworks("proxies", ["10.0.0.0/8"]);
// Chapter 16's own function says which of them it is.
const found = findIp(socket, field.join(", "), proxies);

const known = [...field, socket].map((address) => {
  const isOurs = address === socket;
  const isFound = address === found;
  /** @type {Colour} */
  const color = isFound ? "accent" : isOurs ? "green" : "line";
  return { address, color, isFound, isOurs };
});
const origins = [
  ["made up", "by a client"],
  ["added by", "the proxy"],
  ["of the", "socket"],
];
const verdicts = [["not asked"], ["not ours:", "the client"], ["ours:", "go on"]];
const machines = [
  ["client", "192.0.2.1"],
  ["proxy", socket],
  ["server", "10.0.0.1"],
];

/**
 * @param {Canvas} canvas
 * @param {{ width: number, gap: number, text: number }} measures
 */
function draw(canvas, { width, gap, text }) {
  const box = (width - 2 * gap) / 3;
  const left = (/** @type {number} */ column) => 1 + column * (box + gap);
  const middle = (/** @type {number} */ column) => left(column) + box / 2;
  const style = { anchor: /** @type {const} */ ("middle"), size: text };
  for (const [column, [name, address]] of machines.entries()) {
    canvas.text(middle(column), 18, name, { ...style, weight: 600 });
    canvas.box(left(column), 28, box, 36, { stroke: "line", fill: "fill", radius: 4 });
    canvas.text(middle(column), 51, address, { ...style, mono: true, size: 15 });
    if (column > 0) canvas.arrow([left(column) - gap + 2, 46, left(column) - 3, 46]);
  }
  const top = 112;
  canvas.text(1, top - 12, "X-Forwarded-For, and the socket", { size: text, weight: 600 });
  for (const [column, { address, color, isFound, isOurs }] of known.entries()) {
    const fill = color === "line" ? "paper" : /** @type {Colour} */ (`${color}-fill`);
    const isDashed = !isFound && !isOurs;
    canvas.box(left(column), top, box, 36, { stroke: color, fill, radius: 4, dashed: isDashed });
    canvas.text(middle(column), top + 23, address, { ...style, mono: true, size: 15 });
    canvas.paragraph(middle(column), top + 58, origins[column], { ...style, color: "soft" });
    const ink = color === "line" ? "soft" : color;
    canvas.paragraph(middle(column), top + 142, verdicts[column], { ...style, color: ink });
  }
  canvas.arrow([middle(2), top + 112, middle(1) + 6, top + 112]);
  canvas.height = top + 180;
}

export default {
  title: "Whom to believe about a client's address",
  description:
    "A client at 192.0.2.1 sends a request through a proxy at 10.0.0.7 to the server. " +
    "X-Forwarded-For has 1.1.1.1, which the client has made up, and then 192.0.2.1, which the " +
    "proxy has added. The server begins at the right, with the socket's address, 10.0.0.7. It " +
    "is one of ours, so it goes on to the left. 192.0.2.1 isn't one of ours, so it is the " +
    "client. What stands further left isn't asked.",

  /** @param {Canvas} canvas */
  wide(canvas) {
    draw(canvas, { width: 686, gap: 44, text: 19 });
  },

  /** @param {Canvas} canvas */
  narrow(canvas) {
    draw(canvas, { width: 318, gap: 16, text: 18 });
  },
};

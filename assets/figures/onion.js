import { runChain } from "../../code/ch12-middleware/lib/middleware/chain.js";

/** @import { Canvas } from "./lib.js" */

/**
 * What ran from when to when. Each beginning and each end takes one, and so
 * does the handler's work.
 *
 * @typedef {{ name: string, from: number, to: number }} Span
 */

const handlerName = "handler";

/**
 * Lets chapter 12's onion run, and writes down when each function begins and
 * ends.
 *
 * @param {string[]} names of the middleware
 */
function simulate(names) {
  let time = 0;
  /** @type {Span[]} */
  const spans = [];
  const spend = (/** @type {string} */ name, /** @type {() => unknown} */ work) => {
    const span = { name, from: time++, to: 0 };
    spans.push(span);
    const value = work();
    span.to = time++;
    return value;
  };
  const layers = names.map((name) => ({
    addedAt: "",
    fn: (/** @type {any} */ _req, /** @type {any} */ _res, /** @type {() => any} */ next) =>
      spend(name, next),
  }));
  const handler = () =>
    spend(handlerName, () => {
      time += 1;
      return "a value";
    });
  const late = () => {};
  const res = { writableEnded: false, headersSent: false, getHeaderNames: () => [] };
  const req = /** @type {any} */ ({});
  runChain({ layers, handler, fail: late, tell: late }, req, res);
  return spans;
}

const spans = simulate(["log", "requireUser"]);
const end = Math.max(...spans.map(({ to }) => to));

/**
 * @param {Canvas} canvas
 * @param {{ left: number, right: number, height: number, step: number, inLabel: string,
 *   outLabel: string, stacked: boolean }} measures
 */
function draw(canvas, { left, right, height, step, inLabel, outLabel, stacked }) {
  const unit = (right - left) / end;
  const at = (/** @type {number} */ time) => left + time * unit;
  const size = canvas.textSize;
  const top = stacked ? size + 30 : 14;
  for (const [row, { name, from, to }] of spans.entries()) {
    const y = top + row * step;
    const isHandler = name === handlerName;
    canvas.labelledBox(at(from), y, at(to) - at(from), height, name, {
      fill: isHandler ? "accent-fill" : "blue-fill",
      stroke: isHandler ? "accent" : "blue",
      text: { mono: true },
    });
    const inner = spans[row + 1];
    if (inner === undefined) continue;
    const gap = y + height;
    const down = at(inner.from) + 14;
    const up = at(inner.to) - 14;
    canvas.arrow([down, gap, down, gap + step - height - 2]);
    canvas.arrow([up, gap + step - height, up, gap + 2]);
    const baseline = gap + (step - height) / 2 + size * 0.34;
    canvas.text(down + 8, baseline, "next()", { mono: true, color: "soft" });
    canvas.text(up + 8, baseline, "value", { color: "soft" });
  }
  const middle = top + height / 2;
  if (stacked) {
    canvas.text(left, size, inLabel, { color: "soft" });
    canvas.text(right, size, outLabel, { color: "soft", anchor: "end" });
    canvas.arrow([left + 14, size + 8, left + 14, top - 2]);
    canvas.arrow([right - 14, top, right - 14, size + 10]);
  } else {
    canvas.text(0, middle - 12, inLabel, { color: "soft" });
    canvas.arrow([0, middle, left - 2, middle]);
    canvas.text(canvas.width, middle - 12, outLabel, { color: "soft", anchor: "end" });
    canvas.arrow([right, middle, canvas.width, middle]);
  }
  const bottom = top + (spans.length - 1) * step + height;
  canvas.line(
    [
      [left, bottom + 26],
      [right, bottom + 26],
    ],
    { arrow: true, width: 1 },
  );
  canvas.text((left + right) / 2, bottom + 26 + size * 1.2, "time", {
    anchor: "middle",
    color: "soft",
    italic: true,
  });
  canvas.height = bottom + 26 + size * 1.6;
}

export default {
  title: "Two middleware around a handler, on a line of time",
  description:
    "Three bars, one below the other, each inside the time of the one above: log from the " +
    "request to the answer, requireUser inside it, and the handler inside that. An arrow down, " +
    "next(), begins each inner bar; an arrow up, the value, leads from its end back to the bar " +
    "above.",

  /** @param {Canvas} canvas */
  wide(canvas) {
    const labels = { inLabel: "request", outLabel: "answer" };
    draw(canvas, { left: 84, right: 604, height: 42, step: 92, ...labels, stacked: false });
  },

  /** @param {Canvas} canvas */
  narrow(canvas) {
    const labels = { inLabel: "request", outLabel: "answer" };
    draw(canvas, { left: 1, right: 319, height: 42, step: 96, ...labels, stacked: true });
  },
};

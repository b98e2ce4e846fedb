/** @import { Canvas } from "./lib.js" */

/**
 * A state, who ends it (the client, or the handler) and its limit.
 *
 * @typedef {{ until: string[], limit: string[] }} Words
 * @typedef {{ name: string, color: "blue" | "green" | "accent", wide: Words, narrow: Words }} State
 */

/** @type {State[]} */
const states = [
  {
    name: "idle",
    color: "blue",
    wide: {
      until: ["until a byte comes"],
      limit: ["keepAliveTimeout, at first headersTimeout: cut"],
    },
    narrow: {
      until: ["until a byte comes"],
      limit: ["keepAliveTimeout,", "headersTimeout at", "first: cut"],
    },
  },
  {
    name: "head",
    color: "blue",
    wide: { until: ["until its empty line"], limit: ["headersTimeout, requestTimeout: 408"] },
    narrow: {
      until: ["until its empty line"],
      limit: ["headersTimeout or", "requestTimeout:", "408"],
    },
  },
  {
    name: "body",
    color: "blue",
    wide: { until: ["if one is announced: until its last byte"], limit: ["requestTimeout: 408"] },
    narrow: {
      until: ["if announced: until", "its last byte"],
      limit: ["requestTimeout:", "408"],
    },
  },
  {
    name: "answer",
    color: "green",
    wide: { until: ["until the handler has ended it"], limit: ["no limit"] },
    narrow: { until: ["until the handler", "has ended it"], limit: ["no limit"] },
  },
  {
    name: "sending",
    color: "blue",
    wide: { until: ["if the kernel is full: until it has taken all"], limit: ["no limit"] },
    narrow: { until: ["if the kernel is", "full: until it has", "taken all"], limit: ["no limit"] },
  },
  {
    name: "closing",
    color: "accent",
    wide: {
      until: ["after a last answer or a refusal: until the client closes"],
      limit: ["5 s: cut"],
    },
    narrow: {
      until: ["after a last answer", "or a refusal: until", "the client closes"],
      limit: ["5 s: cut"],
    },
  },
];

const boxHeight = 40;
const lineHeight = 23;

/**
 * @param {Canvas} canvas
 * @param {"wide" | "narrow"} kind
 * @param {{ left: number, width: number, rowHeight: number, gap: number }} place
 */
function draw(canvas, kind, { left, width, rowHeight, gap }) {
  const right = left + width;
  const middle = left + width / 2;
  const top = (/** @type {string} */ name) => {
    return 2 + states.findIndex((state) => state.name === name) * rowHeight;
  };
  const half = (/** @type {string} */ name) => top(name) + boxHeight / 2;
  for (const state of states) {
    const { name, color } = state;
    const y = top(name);
    const style = { fill: /** @type {const} */ (`${color}-fill`), stroke: color, radius: 20 };
    canvas.labelledBox(left, y, width, boxHeight, name, style);
    const { until, limit } = state[kind];
    for (const [i, line] of [...until, ...limit].entries()) {
      canvas.text(right + gap, y + 17 + i * lineHeight, line, {
        size: 18,
        color: i < until.length ? "ink" : "soft",
      });
    }
    const next = y + rowHeight;
    if (name === "closing") canvas.height = next;
    else canvas.arrow([middle, y + boxHeight + 1, middle, next - 2], { width: 1.5 });
  }
  // Past a body that isn't announced.
  const past = right + gap / 2 - 2;
  canvas.arrow(
    [right + 1, half("head"), past, half("head"), past, half("answer"), right + 2, half("answer")],
    { width: 1.5 },
  );
  // To the next request.
  const back = /** @type {const} */ ({ color: "accent", width: 1.5 });
  const edge = left / 2 - 4;
  canvas.arrow(
    [left - 1, half("sending"), edge, half("sending"), edge, half("idle"), left - 2, half("idle")],
    back,
  );
  canvas.line(
    [
      [left - 1, half("answer")],
      [edge, half("answer")],
    ],
    back,
  );
}

export default {
  title: "The states of a connection",
  description:
    "From top to bottom. idle: until a byte comes; keepAliveTimeout, or before the first request headersTimeout, cut it. head: until its empty line; headersTimeout and requestTimeout answer 408. body: if one is announced, until its last byte; requestTimeout answers 408. answer: until the handler has ended it, without a limit. sending: if the kernel is full, until it has taken all, without a limit. From answer and from sending the way leads back to idle. closing: after a last answer or a refusal, until the client closes, or for 5 seconds.",
  /** @param {Canvas} canvas */
  wide(canvas) {
    draw(canvas, "wide", { left: 40, width: 120, rowHeight: 72, gap: 34 });
  },
  /** @param {Canvas} canvas */
  narrow(canvas) {
    draw(canvas, "narrow", { left: 18, width: 86, rowHeight: 104, gap: 24 });
  },
};

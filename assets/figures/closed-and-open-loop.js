/** @import { Canvas } from "./lib.js" */

/**
 * A request and its answer, in milliseconds, and the row of the figure it
 * stands in.
 *
 * @typedef {{ asked: number, answered: number, row: number }} Exchange
 * @typedef {{ name: string, habit: string, exchanges: Exchange[] }} Panel
 * @typedef {{ stacked: boolean, label: string[] }} Style
 */

/**
 * All in milliseconds. The server computes for one request at a time, and each
 * then waits for something else, which any number can do at once. The stall
 * begins where the open loop has no request under way.
 */
const computing = 2;
const waiting = 13;
const period = 20;
const stall = { from: 155, to: 255 };
const lastAsk = 400;
const axisEnd = 430;

/** In pixels. */
const rowHeight = 32;

/** An answer is slow when it takes more than twice the usual time. */
const slowFrom = 2 * (computing + waiting);

const numbers = ["no", "one", "two", "three", "four", "five", "six", "seven"];

/** @param {Exchange} exchange */
function durationOf({ asked, answered }) {
  return answered - asked;
}

/** @param {Exchange} exchange */
function isSlow(exchange) {
  return durationOf(exchange) > slowFrom;
}

/**
 * When something can be done that is due at a time: nothing is while the
 * server stands still.
 *
 * @param {number} time
 */
function afterStall(time) {
  return time > stall.from && time < stall.to ? stall.to : time;
}

/**
 * Lets a client ask a server until `lastAsk`.
 *
 * @param {(previous: { asked: number, answered: number }) => number} nextAsk
 * @returns {Exchange[]}
 */
function simulate(nextAsk) {
  /** @type {Exchange[]} */
  const exchanges = [];
  /** @type {number[]} */
  const rowsFreeFrom = [];
  let serverFreeFrom = 0;
  let asked = 0;
  while (asked <= lastAsk) {
    serverFreeFrom = afterStall(Math.max(asked, serverFreeFrom)) + computing;
    const answered = afterStall(serverFreeFrom + waiting);
    const free = rowsFreeFrom.findIndex((time) => time <= asked);
    const row = free === -1 ? rowsFreeFrom.length : free;
    rowsFreeFrom[row] = answered;
    exchanges.push({ asked, answered, row });
    asked = nextAsk({ asked, answered });
  }
  return exchanges;
}

/** @type {Panel[]} */
const panels = [
  {
    name: "Closed loop:",
    habit: "asks when it has been answered",
    exchanges: simulate(({ answered }) => answered),
  },
  {
    name: "Open loop:",
    habit: `asks every ${period} ms, come what may`,
    exchanges: simulate(({ asked }) => asked + period),
  },
];

const [closed, open] = panels.map(({ exchanges }) => exchanges.filter(isSlow).map(durationOf));
const fast = panels.flatMap(({ exchanges }) =>
  exchanges.filter((exchange) => !isSlow(exchange)).map(durationOf),
);
const slow = [...closed, ...open];
const slowTime = `${Math.min(...slow)} to ${Math.max(...slow)} ms`;
const fastTime = `${Math.min(...fast)} to ${Math.max(...fast)} ms`;

/** @param {Panel} panel */
function verdictOf({ exchanges }) {
  const count = exchanges.filter(isSlow).length;
  return `${numbers[count]} slow ${count === 1 ? "answer" : "answers"} among ${exchanges.length}`;
}

/**
 * Fast answers are low and filled, slow ones are high and outlined.
 *
 * @param {Canvas} canvas
 * @param {number} x
 * @param {number} middle
 * @param {number} width
 * @param {boolean} isHigh
 */
function drawBar(canvas, x, middle, width, isHigh) {
  const height = isHigh ? 26 : 10;
  canvas.box(
    x + 1,
    middle - height / 2,
    width - 2,
    height,
    isHigh
      ? { fill: "accent-fill", stroke: "accent", width: 2.5, radius: 0 }
      : { fill: "blue", stroke: "none", radius: 3 },
  );
}

/**
 * @param {Canvas} canvas
 * @param {number} top
 * @param {Panel} panel
 * @param {Style} style
 * @returns {number} where it ends
 */
function drawPanel(canvas, top, panel, { stacked, label }) {
  const size = canvas.textSize;
  const line = Math.round(size * 1.3);
  const at = (/** @type {number} */ time) => 2 + (time * (canvas.width - 4)) / axisEnd;

  const verdict = /** @type {const} */ ({ color: "accent", weight: 600 });
  let y = top + size;
  canvas.text(0, y, panel.name, { weight: 600 });
  canvas.text(stacked ? 0 : size * 5.8, stacked ? y + line : y, panel.habit);
  if (stacked) y += line * 2;
  canvas.text(stacked ? 0 : canvas.width, y, verdictOf(panel), {
    ...verdict,
    anchor: stacked ? "start" : "end",
  });

  y += line + 8;
  const middleOfStall = at((stall.from + stall.to) / 2);
  canvas.paragraph(middleOfStall, y, label, { anchor: "middle", color: "soft" });
  const bandTop = y + (label.length - 1) * line + 8;
  const rows = 1 + Math.max(...panel.exchanges.map(({ row }) => row));
  const bottom = bandTop + rows * rowHeight + 20;
  canvas.box(at(stall.from), bandTop, at(stall.to) - at(stall.from), bottom - bandTop, {
    stroke: "none",
    radius: 0,
  });
  for (const time of [stall.from, stall.to]) {
    canvas.line(
      [
        [at(time), bandTop],
        [at(time), bottom],
      ],
      { dashed: true, width: 1.5 },
    );
  }

  for (const exchange of panel.exchanges) {
    const middle = bandTop + 10 + (exchange.row + 0.5) * rowHeight;
    const x = at(exchange.asked);
    const width = at(exchange.answered) - x;
    drawBar(canvas, x, middle, width, isSlow(exchange));
    if (!isSlow(exchange)) continue;
    // On a phone the lower bars are too short for a label.
    const inside = !stacked || exchange.row === 0;
    canvas.text(
      inside ? x + width / 2 : x + width + 6,
      middle + size * 0.34,
      `${durationOf(exchange)} ms`,
      { anchor: inside ? "middle" : "start", color: "accent" },
    );
  }

  canvas.line([
    [at(0), bottom],
    [at(axisEnd), bottom],
  ]);
  for (let time = 0; time < axisEnd; time += 100) {
    canvas.line([
      [at(time), bottom],
      [at(time), bottom + 6],
    ]);
    const isFirst = time === 0;
    canvas.text(isFirst ? 0 : at(time), bottom + 8 + size, isFirst ? "0 ms" : String(time), {
      anchor: isFirst ? "start" : "middle",
      color: "soft",
    });
  }
  return bottom + 8 + size;
}

/**
 * @param {Canvas} canvas
 * @param {Style} style
 */
function draw(canvas, style) {
  const size = canvas.textSize;
  let y = 0;
  for (const panel of panels) y = drawPanel(canvas, y, panel, style) + 28;

  const legend = /** @type {const} */ ([
    [`fast: ${fastTime}`, false],
    [`slow: ${slowTime}`, true],
  ]);
  for (const [index, [text, isHigh]] of legend.entries()) {
    const x = style.stacked ? 1 : 1 + index * size * 12;
    const middle = y + 14 + (style.stacked ? index * 34 : 0);
    drawBar(canvas, x, middle, isHigh ? 44 : 20, isHigh);
    canvas.text(x + (isHigh ? 54 : 30), middle + size * 0.34, text);
  }
  canvas.height = y + (style.stacked ? 66 : 32);
}

export default {
  title: "What a closed loop leaves out",
  description:
    `Two time lines of a little more than ${lastAsk} ms. In both, the server stops for ` +
    `${stall.to - stall.from} ms, from ${stall.from} to ${stall.to} ms. Above, a closed loop: one ` +
    "connection that asks when it has been answered. Its requests follow one another, all of " +
    `them short but one, which spans the stop and takes ${closed.join()} ms: ` +
    `${verdictOf(panels[0])}. Below, an open loop, which asks every ${period} ms, come what may. ` +
    "The requests that it sends during the stop stand below one another like a staircase: each " +
    "begins later than the one before, and all end shortly after the stop. They take " +
    `${open.join(", ")} ms: ${verdictOf(panels[1])}. The others take ${fastTime}.`,

  /** @param {Canvas} canvas */
  wide(canvas) {
    draw(canvas, { stacked: false, label: ["the server stops"] });
  },

  /** @param {Canvas} canvas */
  narrow(canvas) {
    draw(canvas, { stacked: true, label: ["the server", "stops"] });
  },
};

/** @import { Canvas } from "./lib.js" */

/**
 * Time is counted in answers: each takes one, and to take in a client takes
 * nothing.
 *
 * @typedef {{ from: number, to: number }} Turn
 * @typedef {{ takenIn: number, answers: number[] }} Client
 * @typedef {{ left: number, stacked: boolean, label: string[] }} Style
 */

const clientCount = 6;

/** In pixels. */
const rowHeight = 36;

/**
 * Lets clients come at once to a server that takes in one of them each turn,
 * and then answers all that are in.
 *
 * @param {number} count
 */
function simulate(count) {
  /** @type {Client[]} */
  const clients = [];
  /** @type {Turn[]} */
  const turns = [];
  let time = 0;
  while (clients.length < count) {
    const from = time;
    clients.push({ takenIn: time, answers: [] });
    for (const { answers } of clients) {
      answers.push(time);
      time += 1;
    }
    turns.push({ from, to: time });
  }
  return { clients, turns, end: time };
}

const { clients, turns, end } = simulate(clientCount);
const waits = clients.map(({ takenIn }) => takenIn);
const longest = waits[waits.length - 1];

/**
 * @param {Canvas} canvas
 * @param {number} from
 * @param {number} to
 * @param {number} middle
 */
function drawWait(canvas, from, to, middle) {
  canvas.box(from + 1, middle - 5, to - from - 1, 10, {
    fill: "accent-fill",
    stroke: "accent",
    radius: 0,
  });
}

/**
 * @param {Canvas} canvas
 * @param {number} x
 * @param {number} middle
 */
function drawTakingIn(canvas, x, middle) {
  canvas.line(
    [
      [x, middle - 14],
      [x, middle + 14],
    ],
    { color: "ink", width: 4 },
  );
}

/**
 * @param {Canvas} canvas
 * @param {number} from
 * @param {number} to
 * @param {number} middle
 */
function drawAnswer(canvas, from, to, middle) {
  canvas.box(from + 3, middle - 9, to - from - 4, 18, { fill: "blue", stroke: "none", radius: 2 });
}

/**
 * @param {Canvas} canvas
 * @param {Style} style
 */
function draw(canvas, { left, stacked, label }) {
  const size = canvas.textSize;
  const line = Math.round(size * 1.3);
  const unit = (canvas.width - left - 2) / end;
  const at = (/** @type {number} */ time) => left + time * unit;

  canvas.text(at(0), size, "turns of the event loop", { color: "soft" });
  const top = size + line + 10;
  const bottom = top + clientCount * rowHeight + 8;
  for (const [index, { from, to }] of turns.entries()) {
    canvas.text(at((from + to) / 2), size + line, String(index + 1), {
      anchor: "middle",
      color: "soft",
    });
    if (index % 2 === 0) {
      canvas.box(at(from), top, at(to) - at(from), bottom - top, { stroke: "none", radius: 0 });
    }
    canvas.line(
      [
        [at(to), top],
        [at(to), bottom],
      ],
      { width: 1 },
    );
  }

  if (stacked) canvas.text(left - 10, size + line, "client", { anchor: "end", color: "soft" });
  for (const [index, { takenIn, answers }] of clients.entries()) {
    const middle = top + 4 + (index + 0.5) * rowHeight;
    const name = String(index + 1);
    canvas.text(left - 10, middle + size * 0.34, stacked ? name : `client ${name}`, {
      anchor: "end",
    });
    if (takenIn > 0) drawWait(canvas, at(0), at(takenIn), middle);
    for (const time of answers) drawAnswer(canvas, at(time), at(time + 1), middle);
    drawTakingIn(canvas, at(takenIn), middle);
  }

  canvas.line(
    [
      [at(0), bottom],
      [at(end) + 1, bottom],
    ],
    { arrow: true },
  );
  canvas.bracket(at(0), at(longest), bottom + 8, { color: "accent" });
  canvas.paragraph(at(longest / 2), bottom + 20 + size, label, {
    anchor: "middle",
    color: "accent",
    weight: 600,
  });
  canvas.text(canvas.width, bottom + 6 + size, "time", { anchor: "end", color: "soft" });

  let x = stacked ? 1 : left;
  let middle = bottom + 20 + size + (label.length - 1) * line + 44;
  const entries = /** @type {const} */ ([
    ["waits at the door", drawWait],
    ["is taken in", drawTakingIn],
    ["is answered", drawAnswer],
  ]);
  for (const [text, drawSample] of entries) {
    if (drawSample === drawTakingIn) drawTakingIn(canvas, x + 16, middle);
    else drawSample(canvas, x, x + 32, middle);
    canvas.text(x + 42, middle + size * 0.34, text);
    if (stacked) middle += 34;
    else x += size * 11;
  }
  canvas.height = Math.round(middle + (stacked ? -14 : 20));
}

const turnLengths = turns.map(({ from, to }) => to - from);

export default {
  title: "One connection a turn",
  description:
    `${clientCount} clients, one row each, come to a server at the same time. Time runs to the ` +
    `right, in ${turns.length} turns of the event loop. In each turn the server takes in the next ` +
    "client and then gives one answer to each that is in, so the turns become longer: they hold " +
    `${turnLengths.join(", ")} answers. The rows begin with the time that a client waits at the door. ` +
    "From row to row it grows by more than before: the clients wait for " +
    `${waits.join(", ")} answers to others. What they wait and what they are answered make two ` +
    "triangles, with a curved stair between them.",

  /** @param {Canvas} canvas */
  wide(canvas) {
    draw(canvas, { left: 82, stacked: false, label: [`waits for ${longest} answers to others`] });
  },

  /** @param {Canvas} canvas */
  narrow(canvas) {
    draw(canvas, { left: 58, stacked: true, label: [`waits for ${longest} answers`, "to others"] });
  },
};

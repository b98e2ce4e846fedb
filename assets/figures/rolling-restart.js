import { readFileSync } from "node:fs";

/** @import { Canvas } from "./lib.js" */

/**
 * What `node benchmarks/experiments/cluster.js timeline` has noted.
 *
 * @typedef {{ from: number, to: number, pid: string }} Connection
 * @typedef {{ name: string, isNew: boolean, readyAt: number, rows: Connection[][] }} Worker
 */

const FILE = new URL(
  "../../benchmarks/results/linux-2core-vm/cluster-timeline.json",
  import.meta.url,
);
const READY = /worker (\d+) \(pid (\d+)\) is ready/;

/** Milliseconds that are shown after the restart. */
const AFTER = 300;

const run = JSON.parse(readFileSync(FILE, "utf8"));
const restartedAt = run.lines.find((/** @type {{ text: string }} */ { text }) =>
  text.startsWith("restarted"),
).at;
const end = restartedAt + AFTER;
const workers = readWorkers();

/** @returns {Worker[]} those of a place one after the other */
function readWorkers() {
  const found = run.lines.flatMap((/** @type {{ at: number, text: string }} */ { at, text }) => {
    const [, number, pid] = READY.exec(text) ?? [];
    if (pid === undefined) return [];
    const isNew = at > run.signalledAt;
    const name = `worker ${number}, ${isNew ? "new" : "old"}`;
    const own = run.connections.filter(
      (/** @type {Connection} */ each) => each.pid === pid && each.from < end,
    );
    return [{ name, isNew, readyAt: at, rows: pack(own) }];
  });
  const nameOf = (/** @type {Worker} */ { name }) => name;
  return found.sort((/** @type {Worker} */ a, /** @type {Worker} */ b) => {
    const [[placeA, ageA], [placeB, ageB]] = [a, b].map((each) => nameOf(each).split(", "));
    return placeA.localeCompare(placeB) || ageB.localeCompare(ageA);
  });
}

/**
 * As many rows as there are connections at the same time.
 *
 * @param {Connection[]} connections
 * @returns {Connection[][]}
 */
function pack(connections) {
  /** @type {Connection[][]} */
  const rows = [];
  for (const each of connections.sort((a, b) => a.from - b.from)) {
    const row = rows.find((others) => others[others.length - 1].to + 25 < each.from);
    if (row) row.push(each);
    else rows.push([each]);
  }
  return rows;
}

/**
 * @param {Canvas} canvas
 * @param {number} step between two rows
 */
function draw(canvas, step) {
  const { width, textSize: size } = canvas;
  const at = (/** @type {number} */ time) => 2 + (Math.max(0, time) / end) * (width - 4);
  let y = size + 14;
  const top = y - 6;
  for (const { name, isNew, readyAt, rows } of workers) {
    const color = isNew ? "blue" : "accent";
    const x = at(Math.max(0, readyAt));
    const isLate = x > width / 2;
    canvas.text(isLate ? x - 8 : x, y + size * 0.8, name, {
      color,
      weight: 600,
      anchor: isLate ? "end" : "start",
    });
    y += isLate ? 0 : size + 8;
    const first = y;
    for (const row of rows) {
      y += step;
      for (const { from, to } of row) {
        const points = /** @type {[number, number][]} */ ([
          [at(from), y],
          [at(Math.min(to ?? end, end)), y],
        ]);
        canvas.line(points, { color, width: step - 3 });
      }
    }
    if (isLate) y = Math.max(y, first + size);
    y += step + 8;
  }
  const signal = at(run.signalledAt);
  canvas.line(
    [
      [signal, top],
      [signal, y],
    ],
    { color: "ink", dashed: true },
  );
  canvas.text(signal, size, "SIGHUP", { anchor: "middle", mono: true });
  const restarted = at(restartedAt);
  canvas.line(
    [
      [restarted, top],
      [restarted, y],
    ],
    { color: "ink", dashed: true },
  );
  canvas.text(Math.min(restarted, width - 40), size, "restarted", { anchor: "middle" });
  y += 8;
  canvas.line(
    [
      [2, y],
      [width - 2, y],
    ],
    { arrow: true },
  );
  canvas.text(2, y + size + 4, "0");
  canvas.text(width - 2, y + size + 4, `${(end / 1000).toFixed(1)} s`, { anchor: "end" });
  canvas.height = Math.round(y + size + 16);
}

export default {
  title: "A rolling restart",
  description:
    "Four groups of lines, one for each process: worker 1, old and new, and worker 2, old and new. " +
    `Each of the ${run.connections.length} lines is a client's connection, from its beginning to its ` +
    "end. After SIGHUP the new worker 1 starts, and gets connections. Then the old one gets no more, " +
    "and its lines end. The same follows with worker 2. " +
    `Of ${run.verdict.sent} requests ${run.verdict.failed} failed.`,

  /** @param {Canvas} canvas */
  wide(canvas) {
    draw(canvas, 8);
  },

  /** @param {Canvas} canvas */
  narrow(canvas) {
    draw(canvas, 8);
  },
};

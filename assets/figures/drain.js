import { readFileSync } from "node:fs";

/** @import { Canvas } from "./lib.js" */

/** What chapter 20's drain.js printed, which is what is drawn. */
const RUN = new URL("../../benchmarks/results/linux-2core-vm/book/ch20-drain.txt", import.meta.url);

/** @typedef {{ name: string, seen: { what: string, time: number }[] }} Lane */

/** @returns {Lane[]} */
function readRun() {
  const lines = readFileSync(RUN, "utf8").trim().split("\n").slice(1);
  return lines.map((line) => {
    const [, name, rest] = /** @type {RegExpExecArray} */ (/^([^:]+): +(.*)$/.exec(line));
    const seen = [...rest.matchAll(/(?:^|, )(.*?) \((\d+\.\d) s\)/g)];
    return { name, seen: seen.map(([, what, time]) => ({ what, time: Number(time) })) };
  });
}

const END = 2.1;

/** @param {Lane["seen"]} seen @param {boolean} isCut */
function labelOf(seen, isCut) {
  const said = seen.filter(({ what }) => what !== "closed").at(-1);
  const end = seen.at(-1)?.time ?? 0;
  if (said === undefined) return isCut ? "cut" : "closed";
  if (isCut) return `${said.what}, cut`;
  return end - said.time > 0.3 ? `${said.what}, then idle` : said.what;
}

/**
 * @param {Canvas} canvas
 * @param {{ left: number, width: number, step: number, above: number }} place
 */
function draw(canvas, { left, width, step, above }) {
  const lanes = readRun();
  const top = 56;
  const at = (/** @type {number} */ time) => left + (width * time) / END;
  const bottom = top + lanes.length * step;
  for (const seconds of [0, 0.5, 1, 1.5, 2]) {
    canvas.line(
      [
        [at(seconds), top - 14],
        [at(seconds), bottom],
      ],
      { dashed: true, width: 1 },
    );
    const anchor = seconds === 0 ? "start" : "middle";
    const label = seconds === 0 ? "told to close" : seconds === 2 ? "deadline" : `${seconds} s`;
    if (seconds === 0.5 || seconds === 1.5) continue;
    canvas.text(at(seconds), top - 24, label, {
      anchor: seconds === 2 ? "end" : anchor,
      color: "soft",
    });
  }
  for (const [index, { name, seen }] of lanes.entries()) {
    const y = top + index * step + above;
    if (above > 0) canvas.text(left, y - 5, name);
    else canvas.text(1, y + 17, name);
    const end = /** @type {{ time: number }} */ (seen.at(-1)).time;
    const isCut = end >= 2;
    const color = isCut ? "accent" : "green";
    const fill = isCut ? "accent-fill" : "green-fill";
    // What took no time that can be drawn is drawn as a short bar.
    const until = Math.max(at(end), left + 10);
    canvas.box(left, y + 2, until - left, 20, { stroke: color, fill, radius: 2 });
    for (const { what, time } of seen) {
      if (what === "closed") continue;
      const x = Math.min(Math.max(at(time), left + 5), until - 4);
      canvas.box(x - 2.5, y + 2, 5, 20, { stroke: "none", fill: "blue", radius: 0 });
    }
    const label = labelOf(seen, isCut);
    const fits = until + 12 + label.length * 8.5 < left + width;
    if (fits) canvas.text(until + 8, y + 18, label, { color });
    else canvas.text(until - 8, y + 18, label, { color, anchor: "end" });
  }
  canvas.height = bottom + 6;
}

export default {
  title: "What became of each connection",
  description:
    "Ten connections to a server that is told to close, from a run of drain.js. Each bar is a " +
    "connection, from that moment to its end; blue marks are answers and goodbyes. Whoever has " +
    "asked gets an answer and is closed behind it. Idle ones end by themselves after about one " +
    "and a half seconds. The one that gets no answer, and the WebSocket, are cut at the deadline.",

  /** @param {Canvas} canvas */
  wide(canvas) {
    draw(canvas, { left: 150, width: 536, step: 32, above: 0 });
  },

  /** @param {Canvas} canvas */
  narrow(canvas) {
    draw(canvas, { left: 1, width: 316, step: 50, above: 22 });
  },
};

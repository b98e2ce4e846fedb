/** The way through the book: what the reader has after each stretch of it. */

/** @import { Canvas, Point } from "./lib.js" */

const accent = /** @type {const} */ ({ fill: "accent-fill", stroke: "accent", radius: 3 });
const blue = /** @type {const} */ ({ fill: "blue-fill", stroke: "blue", radius: 3 });
const green = /** @type {const} */ ({ fill: "green-fill", stroke: "green", radius: 3 });

/**
 * A stretch of the way, with a drawing in a field 120 px wide and 48 px high.
 *
 * @typedef {object} Stretch
 * @property {string} name
 * @property {string} chapters
 * @property {(canvas: Canvas, x: number, y: number) => void} draw
 */

/** @type {{ title: string, stretches: Stretch[] }[]} */
const parts = [
  {
    title: "Part I. The wire",
    stretches: [
      { name: "a socket", chapters: "chapter 1", draw: drawSocket },
      { name: "requests", chapters: "chapters 2, 3", draw: drawRequests },
      { name: "limits", chapters: "chapter 4", draw: drawLimits },
      { name: "node:http", chapters: "chapter 5", draw: drawTwoServers },
    ],
  },
  {
    title: "Part II. The router",
    stretches: [
      { name: "a router", chapters: "chapter 6", draw: (...at) => drawCode(...at, "GET /a") },
      { name: "a radix tree", chapters: "chapters 7, 8", draw: drawTree },
      { name: "parameters", chapters: "chapter 9", draw: (...at) => drawCode(...at, "/:id") },
      { name: "one path", chapters: "chapter 10", draw: (...at) => drawCode(...at, "%61 = a") },
    ],
  },
  {
    title: "Parts III to V",
    stretches: [
      { name: "a framework", chapters: "chapters 11–18", draw: drawFramework },
      { name: "a cluster", chapters: "19–21 and 23", draw: drawCluster },
      { name: "an engine", chapters: "chapter 22", draw: drawEngine },
      { name: "measured", chapters: "chapters 24–26", draw: drawBars },
    ],
  },
  {
    title: "Part VI. Three more systems",
    stretches: [
      { name: "kept fast", chapters: "chapter 27", draw: drawProfile },
      { name: "a cache", chapters: "chapter 28", draw: drawCache },
      { name: "a database", chapters: "chapter 29", draw: drawDatabase },
    ],
  },
];

export default {
  title: "From a socket to a cluster",
  description:
    "The way through the book. Part I: a socket, requests made of bytes, limits, and node:http " +
    "beside our own server. Part II: a router, a radix tree, parameters, one meaning for each " +
    "path. Parts III to V: a framework; a cluster on one machine and on several; an engine of " +
    "our own; and how all of it is measured. Part VI: keeping Node fast, a cache, and Node " +
    "beside Go with a database.",

  /** @param {Canvas} canvas */
  wide(canvas) {
    drawParts(canvas, 4);
  },

  /** @param {Canvas} canvas */
  narrow(canvas) {
    drawParts(canvas, 2);
  },
};

/**
 * @param {Canvas} canvas
 * @param {number} columns
 */
function drawParts(canvas, columns) {
  const gap = columns === 2 ? 16 : 24;
  const width = (canvas.width - 2 - gap * (columns - 1)) / columns;
  const [boxHeight, rowHeight] = [116, 132];
  let y = 18;
  for (const { title, stretches } of parts) {
    canvas.text(1, y, title, { weight: 600 });
    y += 14;
    for (const [index, stretch] of stretches.entries()) {
      const x = 1 + (index % columns) * (width + gap);
      const top = y + Math.floor(index / columns) * rowHeight;
      drawStretch(canvas, stretch, x, top, width, boxHeight);
      const isLast = index === stretches.length - 1;
      if (index % columns < columns - 1 && !isLast) {
        const middle = top + boxHeight / 2;
        const ends = /** @type {Point[]} */ ([
          [x + width + 2, middle],
          [x + width + gap - 1, middle],
        ]);
        canvas.line(ends, { arrow: true, color: "ink" });
      }
    }
    y += Math.ceil(stretches.length / columns) * rowHeight + 22;
  }
  canvas.height = y - 34;
}

/**
 * @param {Canvas} canvas
 * @param {Stretch} stretch
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {number} height
 */
function drawStretch(canvas, { name, chapters, draw }, x, y, width, height) {
  canvas.box(x, y, width, height, { fill: "fill", radius: 6, width: 1.25 });
  const middle = x + width / 2;
  draw(canvas, middle - 60, y + 10);
  canvas.text(middle, y + 80, name, { anchor: "middle", weight: 600 });
  canvas.text(middle, y + 103, chapters, { anchor: "middle", color: "soft" });
}

/** @param {Canvas} canvas @param {number} x @param {number} y */
function drawSocket(canvas, x, y) {
  canvas.box(x + 6, y + 8, 24, 32, blue);
  canvas.box(x + 90, y + 8, 24, 32, accent);
  arrow(canvas, [x + 34, y + 17], [x + 86, y + 17]);
  arrow(canvas, [x + 86, y + 31], [x + 34, y + 31]);
}

/** @param {Canvas} canvas @param {number} x @param {number} y */
function drawRequests(canvas, x, y) {
  for (let cell = 0; cell < 5; cell += 1) {
    const gap = cell < 2 ? 0 : 10;
    canvas.box(x + 5 + cell * 20 + gap, y + 12, 18, 24, cell < 2 ? blue : green);
  }
  canvas.line(
    [
      [x + 49, y + 4],
      [x + 49, y + 44],
    ],
    { color: "accent", width: 3 },
  );
}

/** @param {Canvas} canvas @param {number} x @param {number} y */
function drawLimits(canvas, x, y) {
  for (let cell = 0; cell < 3; cell += 1) canvas.box(x + 4 + cell * 20, y + 12, 18, 24, green);
  for (let cell = 0; cell < 2; cell += 1) {
    canvas.box(x + 78 + cell * 20, y + 12, 18, 24, { fill: "none", dashed: true, radius: 3 });
  }
  canvas.line(
    [
      [x + 70, y],
      [x + 70, y + 48],
    ],
    { color: "accent", width: 4 },
  );
}

/** @param {Canvas} canvas @param {number} x @param {number} y */
function drawTwoServers(canvas, x, y) {
  canvas.box(x + 8, y + 6, 40, 36, accent);
  canvas.box(x + 72, y + 6, 40, 36, green);
  canvas.text(x + 60, y + 30, "=", { anchor: "middle", size: 22 });
}

/** @param {Canvas} canvas @param {number} x @param {number} y @param {string} code */
function drawCode(canvas, x, y, code) {
  const style = { ...blue, text: /** @type {const} */ ({ mono: true, size: 18, color: "blue" }) };
  canvas.labelledBox(x + 14, y + 7, 92, 34, code, style);
}

/** @param {Canvas} canvas @param {number} x @param {number} y */
function drawTree(canvas, x, y) {
  const root = /** @type {Point} */ ([x + 60, y + 7]);
  const leaves = /** @type {Point[]} */ ([
    [x + 22, y + 41],
    [x + 60, y + 41],
    [x + 98, y + 41],
  ]);
  for (const leaf of leaves) canvas.line([root, leaf]);
  for (const [left, top] of [root, ...leaves]) {
    canvas.box(left - 15, top - 7, 30, 14, { ...green, radius: 7 });
  }
}

/** @param {Canvas} canvas @param {number} x @param {number} y */
function drawFramework(canvas, x, y) {
  for (const inset of [0, 8, 16]) {
    const style = inset === 16 ? accent : /** @type {const} */ ({ fill: "none", radius: 10 });
    canvas.box(x + 20 + 1.6 * inset, y + inset, 80 - 3.2 * inset, 48 - 2 * inset, style);
  }
}

/** @param {Canvas} canvas @param {number} x @param {number} y */
function drawCluster(canvas, x, y) {
  for (let worker = 0; worker < 4; worker += 1) {
    const left = x + 8 + worker * 28;
    canvas.line([
      [x + 60, y + 12],
      [left + 10, y + 30],
    ]);
    canvas.box(left, y + 28, 20, 18, green);
  }
  canvas.box(x + 45, y, 30, 16, accent);
}

/** @param {Canvas} canvas @param {number} x @param {number} y */
function drawEngine(canvas, x, y) {
  for (const side of [-1, 0, 1]) arrow(canvas, [x + 6, y + 24 + side * 18], [x + 46, y + 24]);
  canvas.box(x + 48, y + 10, 28, 28, accent);
  arrow(canvas, [x + 78, y + 24], [x + 116, y + 24]);
}

/** @param {Canvas} canvas @param {number} x @param {number} y */
function drawBars(canvas, x, y) {
  // Not results: bars as a sign for them.
  for (const row of [0, 1, 2]) canvas.box(x + 20, y + 3 + row * 16, 80 - row * 22, 11, green);
  canvas.line([
    [x + 18, y],
    [x + 18, y + 48],
  ]);
}

/** @param {Canvas} canvas @param {number} x @param {number} y */
function drawProfile(canvas, x, y) {
  // Not a profile: one call that takes nearly all of the time, as a sign.
  canvas.box(x + 10, y + 33, 100, 12, blue);
  canvas.box(x + 10, y + 18, 80, 12, blue);
  canvas.box(x + 94, y + 18, 16, 12, blue);
  canvas.box(x + 18, y + 3, 66, 12, accent);
}

/** @param {Canvas} canvas @param {number} x @param {number} y */
function drawCache(canvas, x, y) {
  const kept = [0, 1, 3, 6, 8];
  for (let cell = 0; cell < 10; cell += 1) {
    const [left, top] = [x + 11 + (cell % 5) * 20, y + 2 + Math.floor(cell / 5) * 24];
    const free = /** @type {const} */ ({ fill: "none", dashed: true, radius: 3 });
    canvas.box(left, top, 18, 20, kept.includes(cell) ? green : free);
  }
}

/** @param {Canvas} canvas @param {number} x @param {number} y */
function drawDatabase(canvas, x, y) {
  canvas.box(x + 6, y, 30, 20, accent);
  canvas.box(x + 6, y + 28, 30, 20, blue);
  arrow(canvas, [x + 40, y + 10], [x + 72, y + 18]);
  arrow(canvas, [x + 40, y + 38], [x + 72, y + 30]);
  for (const row of [0, 1, 2]) canvas.box(x + 76, y + 4 + row * 14, 38, 12, green);
}

/** @param {Canvas} canvas @param {Point} from @param {Point} to */
function arrow(canvas, from, to) {
  canvas.line([from, to], { arrow: true, color: "ink", width: 1.5 });
}

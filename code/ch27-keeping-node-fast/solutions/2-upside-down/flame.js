const CORE = new Set(["(root)", "(program)"]);
/** Where each frame's function stands. */
export const places = new WeakMap();

/**
 * @typedef {object} Frame a function, called from where it stands
 * @property {string} name
 * @property {"own" | "package" | "node" | "engine"} owner
 * @property {number} self microseconds in the function itself
 * @property {number} total microseconds in it and all that it called
 * @property {Frame[]} children
 */

/** Whose code it is. */
function ownerOf({ functionName, url }, folder) {
  if (url === "" && functionName.startsWith("(")) return "engine";
  if (url === "" || url.startsWith("node:")) return "node";
  const isOwn = url.startsWith(folder) && !url.includes("/node_modules/");
  return isOwn ? "own" : "package";
}

function nameOf({ functionName, url, lineNumber }) {
  const file = url.startsWith("node:") ? url : url.split("/").at(-1);
  if (functionName !== "") return `${functionName} ${file}`.trim();
  // V8 counts lines from 0.
  return `(anonymous) ${file}:${lineNumber + 1}`;
}

/**
 * Which function ran how long, called by whom. Calls inside of Node are one
 * frame, with the name of the first.
 *
 * @param {any} profile as `--cpu-prof` writes it
 * @param {string} folder the URL under which the own files are
 * @returns {Frame} the root
 */
export function framesOf({ nodes, samples, timeDeltas }, folder) {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const times = new Map();
  for (const [index, id] of samples.entries()) {
    times.set(id, (times.get(id) ?? 0) + timeDeltas[index]);
  }

  function add({ id, callFrame, children = [] }, parent) {
    if (callFrame.functionName === "(idle)") return;
    const frame = enter(parent, callFrame, folder);
    frame.self += times.get(id) ?? 0;
    for (const child of children) add(byId.get(child), frame);
  }

  const root = makeFrame("all", "engine");
  add(nodes[0], root);
  sum(root);
  return root;
}

function makeFrame(name, owner) {
  return { name, owner, self: 0, total: 0, children: [] };
}

function enter(parent, callFrame, folder) {
  if (CORE.has(callFrame.functionName)) return parent;
  const owner = ownerOf(callFrame, folder);
  if (owner === "node" && parent.owner === "node") return parent;
  const place = placeOf(callFrame);
  const known = parent.children.find(
    (child) => places.get(child) === place,
  );
  if (known !== undefined) return known;
  const frame = makeFrame(nameOf(callFrame), owner);
  places.set(frame, place);
  parent.children.push(frame);
  return frame;
}

function placeOf({ functionName, url, lineNumber, columnNumber }) {
  return [url, lineNumber, columnNumber, functionName].join();
}

function sum(frame) {
  frame.total = frame.self;
  for (const child of frame.children) frame.total += sum(child);
  frame.children.sort((a, b) => b.total - a.total);
  return frame.total;
}

/**
 * Who called a function, and who called those: the tree upside down.
 *
 * @param {Frame} root
 * @param {string} name of the function
 * @returns {Frame} each frame's total is the function's own time, called in
 *   this way
 */
export function callersOf(root, name) {
  const top = makeFrame(name, "engine");

  function walk(frame, callers) {
    if (frame.name === name) {
      top.owner = frame.owner;
      addCallers(top, callers, frame.self);
    }
    for (const child of frame.children) walk(child, [frame, ...callers]);
  }

  walk(root, []);
  return top;
}

function addCallers(top, callers, time) {
  let frame = top;
  frame.total += time;
  for (const { name, owner } of callers) {
    let next = frame.children.find((child) => child.name === name);
    if (next === undefined) {
      next = makeFrame(name, owner);
      frame.children.push(next);
    }
    next.total += time;
    frame = next;
  }
}

/**
 * Where each frame's box is: as wide as its share of the time, above the one
 * that called it.
 *
 * @param {Frame} root
 * @param {number} width in pixels
 * @param {number} least the narrowest box that is drawn, in pixels
 */
export function layOut(root, width, least = 2) {
  const boxes = [];
  // Where nothing ran, the total is 0.
  const scale = width / Math.max(root.total, 1);

  function place(frame, x, row) {
    if (frame.total * scale < least) return;
    boxes.push({ frame, x, row, width: frame.total * scale });
    let from = x;
    for (const child of frame.children) {
      place(child, from, row + 1);
      from += child.total * scale;
    }
  }

  place(root, 0, 0);
  return boxes;
}

const ROW = 24;
const LETTER = 8;
const STYLE = `
  text { font: 13px ui-monospace, monospace; fill: #222; }
  rect { stroke: #fff; }
  .own { fill: #f0a884; } .package { fill: #9cc7e6; }
  .node { fill: #dcd8d0; } .engine { fill: #b5dba6; }
  @media (prefers-color-scheme: dark) {
    svg { background: #1b1c1f; } text { fill: #eee; }
    rect { stroke: #1b1c1f; } .own { fill: #8c3d20; }
    .package { fill: #215476; } .node { fill: #4b4a48; }
    .engine { fill: #35602a; }
  }`;

/**
 * Draws a flame graph, which takes the colours that its viewer prefers.
 *
 * @param {Frame} root
 * @param {number} [width] in pixels
 * @returns {string} an SVG
 */
export function drawFlame(root, width = 1200) {
  const boxes = layOut(root, width);
  const height = ROW * (1 + Math.max(0, ...boxes.map(({ row }) => row)));
  const drawn = boxes.map((box) => drawBox(box, height, root.total));
  const size = `viewBox="0 0 ${width} ${height}" width="${width}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size}>
<style>${STYLE}</style>
${drawn.join("\n")}
</svg>
`;
}

function drawBox({ frame, x, row, width }, height, all) {
  const y = height - (row + 1) * ROW;
  const share = ((100 * frame.total) / all).toFixed(1);
  const at = `x="${x.toFixed(1)}" y="${y}"`;
  const size = `width="${width.toFixed(1)}" height="${ROW}"`;
  const letters = Math.max(0, Math.floor((width - 6) / LETTER));
  const label = frame.name.slice(0, letters);
  const baseline = `x="${(x + 4).toFixed(1)}" y="${y + 17}"`;
  return `<g class="${frame.owner}">
<title>${escapeText(frame.name)}: ${share} %</title><rect ${at} ${size}/>
<text ${baseline}>${escapeText(label)}</text></g>`;
}

function escapeText(text) {
  return text.replace(/[&<>]/g, (letter) => `&#${letter.charCodeAt(0)};`);
}

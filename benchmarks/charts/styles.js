import { chartColours, colour as figureColour } from "../../assets/figures/lib.js";

/** @import { Colour as FigureColour } from "../../assets/figures/lib.js" */

/** @typedef {FigureColour | keyof typeof chartColours} Colour */

/**
 * @param {Colour} name
 * @returns {string} an attribute's value
 */
export function colour(name) {
  return name in chartColours
    ? `var(--figure-${name}, ${chartColours[/** @type {keyof typeof chartColours} */ (name)][0]})`
    : figureColour(/** @type {FigureColour} */ (name));
}

/**
 * A shape of straight lines, about a circle of radius 1.
 *
 * @param {[x: number, y: number][]} corners
 * @param {number} area of the shape in these units
 */
function polygon(corners, area) {
  return {
    /**
     * @param {CanvasPath} context
     * @param {number} size in square pixels
     */
    draw(context, size) {
      const scale = Math.sqrt(size / area);
      for (const [index, [x, y]] of corners.entries()) {
        if (index === 0) context.moveTo(x * scale, y * scale);
        else context.lineTo(x * scale, y * scale);
      }
      context.closePath();
    },
  };
}

const pentagon = polygon(
  [0, 1, 2, 3, 4].map((corner) => {
    const angle = (corner * 2 * Math.PI) / 5;
    return [Math.sin(angle), -Math.cos(angle)];
  }),
  2.38,
);

/** Lies on its long side. */
const slab = polygon(
  [
    [-1, -0.45],
    [1, -0.45],
    [1, 0.45],
    [-1, 0.45],
  ],
  1.8,
);

/** Two triangles, tip to tip. */
const bow = polygon(
  [
    [-1, -0.8],
    [0, -0.25],
    [1, -0.8],
    [1, 0.8],
    [0, 0.25],
    [-1, 0.8],
  ],
  2.1,
);

/** Plot has no triangle that stands on its tip. */
const triangleDown = {
  /**
   * @param {CanvasPath} context
   * @param {number} size
   */
  draw(context, size) {
    const y = -Math.sqrt(size / (Math.sqrt(3) * 3));
    context.moveTo(0, -2 * y);
    context.lineTo(-Math.sqrt(3) * y, y);
    context.lineTo(Math.sqrt(3) * y, y);
    context.closePath();
  },
};

/**
 * What a server looks like in every chart.
 *
 * @typedef {object} Style
 * @property {Colour} colour
 * @property {string | ReturnType<typeof polygon>} symbol as Plot calls it
 * @property {string} [dash] of its lines
 */

/**
 * The servers by what their ids begin with. No two share both colour and
 * shape. What runs a server's program otherwise (on another runtime, as a
 * milestone, raw) has the server's own.
 *
 * @type {[ids: RegExp, style: Style][]}
 */
const servers = [
  [/^velocy-npm/, { colour: "soft", symbol: "hexagon", dash: "4 2" }],
  [/^(?:velocy-engine|engine$)/, { colour: "green", symbol: "cross", dash: "10 3" }],
  [/^(?:velocy|log-|files-velocy|nodecached|node$)/, { colour: "accent", symbol: "circle" }],
  [/^ch04/, { colour: "accent", symbol: "wye", dash: "10 3 2 3" }],
  [/^node-http/, { colour: "ink", symbol: "square", dash: "12 4 2 4" }],
  [/^node-net/, { colour: "soft", symbol: bow, dash: "2 3" }],
  [/^c-/, { colour: "soft", symbol: pentagon, dash: "6 2" }],
  [/^(?:express|files-send)/, { colour: "blue", symbol: "diamond2", dash: "7 4" }],
  [/^axum/, { colour: "purple", symbol: "triangle", dash: "3 3" }],
  [/^(?:elysia|memoirist)/, { colour: "pink", symbol: "star", dash: "9 3 3 3" }],
  [/^bun/, { colour: "olive", symbol: "wye", dash: "5 3" }],
  [/^(?:fastify|find-my-way)/, { colour: "teal", symbol: "hexagon", dash: "7 4" }],
  [/^hono/, { colour: "amber", symbol: slab, dash: "3 3" }],
  [/^go/, { colour: "indigo", symbol: triangleDown, dash: "7 4" }],
  [/^restify/, { colour: "amber", symbol: "wye", dash: "12 4 2 4" }],
  [/^rou3/, { colour: "indigo", symbol: "diamond2", dash: "2 4" }],
  [/^memcached/, { colour: "purple", symbol: "square" }],
  [/^yrmcds/, { colour: "olive", symbol: "diamond2" }],
  [/^files-nginx/, { colour: "green", symbol: "square" }],
  [/^files-sirv/, { colour: "teal", symbol: "triangle" }],
];

/** @type {Style} */
const unknown = { colour: "soft", symbol: "star", dash: "2 2" };

/**
 * @param {string} id of a contender, a router or a twin
 * @returns {Style}
 */
export function styleOf(id) {
  return servers.find(([ids]) => ids.test(id))?.[1] ?? unknown;
}

/** @param {string} id */
export function hasStyle(id) {
  return servers.some(([ids]) => ids.test(id));
}

/** The styles of all servers, for those who compare them. */
export const serverStyles = servers.map(([, style]) => style);

/** What isn't a server, such as requests sent and requests failed. */
export const seriesStyles = /** @type {Style[]} */ ([
  { colour: "soft", symbol: "plus", dash: undefined },
  { colour: "ink", symbol: "times", dash: "2 4" },
  { colour: "blue", symbol: "square", dash: "7 4" },
  { colour: "green", symbol: "triangle", dash: "12 4 2 4" },
  { colour: "accent", symbol: "diamond2", dash: "4 2" },
]);

/**
 * Whether a server is drawn hollow: it is of 2023, or runs on a Node.js that
 * isn't today's.
 *
 * @param {string} id
 * @param {string} [stack]
 */
export function isOfThePast(id, stack) {
  return stack === "then" || /-node-2[0-4]/.test(id);
}

/** Shapes that have no inside, and so are never hollow: no server has one. */
const open = new Set(["times", "plus"]);

/**
 * What Plot takes to draw a server's symbol.
 *
 * @param {Style} style
 * @param {boolean} [isHollow]
 */
export function symbolOptions({ symbol, colour: name }, isHollow = false) {
  const isOpen = typeof symbol === "string" && open.has(symbol);
  const filled = isHollow ? colour("paper") : colour(name);
  return {
    symbol: /** @type {"circle"} */ (symbol),
    r: 6,
    fill: isOpen ? "none" : filled,
    stroke: colour(name),
    strokeWidth: isOpen ? 2.5 : 2,
  };
}

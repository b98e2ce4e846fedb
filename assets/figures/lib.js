/**
 * Drawing for the book's figures.
 *
 * A figure's script stands in this folder and exports by default what
 * `npm run figures` shall write: one Figure, a list of them, or a function
 * that returns (or promises) either. A figure is drawn once for wide pages
 * and, where it doesn't fit a phone, a second time for narrow ones: text in a
 * figure is never smaller than the page's, so a figure can't simply shrink.
 *
 * On a page the SVG is a part of the document and takes the page's colours
 * (theme/css/variables.css). As an image, on GitHub, it takes the fallbacks
 * that are written into it here.
 */

/**
 * @typedef {object} Figure
 * @property {string} [name] of the SVG file; the script's own name unless given
 * @property {string} title what it is, in a few words
 * @property {string} description what somebody would see who can't
 * @property {(canvas: Canvas) => void} wide draws onto a canvas 688 px wide
 * @property {(canvas: Canvas) => void} [narrow] draws onto one 320 px wide
 */

/** Canvases, in pixels: as wide as the page's column, and as a phone's. */
export const wideWidth = 688;
export const narrowWidth = 320;

/** Size of text in pixels, that of the page at those widths. */
const wideText = 19;
const narrowText = 18;

/** Each colour with what it is in a light and in a dark image. */
const colours = {
  paper: ["#fdfcf9", "#1b1c1f"],
  ink: ["#272420", "#d9d5cd"],
  soft: ["#69635a", "#a19b91"],
  line: ["#8d867a", "#8b867d"],
  fill: ["#f5f2eb", "#232529"],
  accent: ["#a33a16", "#f0916b"],
  "accent-fill": ["#f8e6dc", "#43302a"],
  blue: ["#14597f", "#86c1e8"],
  "blue-fill": ["#e0edf5", "#223442"],
  green: ["#2c6a1b", "#8fd07a"],
  "green-fill": ["#e1eeda", "#22392a"],
};

/** @typedef {keyof typeof colours} Colour */

/** Colours that only charts have; benchmarks/charts/styles.js says which server has which. */
export const chartColours = {
  amber: ["#a86a00", "#e8b23f"],
  indigo: ["#4256c9", "#98a6ff"],
  olive: ["#66730a", "#c3d14b"],
  pink: ["#c2337f", "#f58fc4"],
  purple: ["#7b3fb3", "#c39bf2"],
  teal: ["#007d73", "#4fd1c0"],
};

const faces = {
  sans: "'Source Sans 3', 'Segoe UI', system-ui, sans-serif",
  mono: "'Source Code Pro', ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace",
};

/**
 * A colour as an attribute's value.
 *
 * @param {Colour} name
 */
export function colour(name) {
  return `var(--figure-${name}, ${colours[name][0]})`;
}

/**
 * How wide text of the monospaced face is.
 *
 * @param {string} text
 * @param {number} size in pixels
 */
export function monoWidth(text, size) {
  return [...text].length * size * 0.6;
}

/**
 * @typedef {{ anchor?: "start" | "middle" | "end", color?: Colour, mono?: boolean,
 *   weight?: number, italic?: boolean, size?: number }} TextStyle
 * @typedef {{ fill?: Colour | "none", stroke?: Colour | "none", radius?: number,
 *   dashed?: boolean, width?: number }} BoxStyle
 * @typedef {{ color?: Colour, width?: number, dashed?: boolean, arrow?: boolean,
 *   curved?: boolean }} LineStyle
 * @typedef {[x: number, y: number]} Point
 */

/** Something to draw on, from the top left corner, in pixels. */
export class Canvas {
  /** @type {string[]} */
  #shapes = [];

  /** Set this when the last thing is drawn. */
  height = 0;

  /**
   * @param {number} width
   * @param {number} textSize
   */
  constructor(width, textSize) {
    this.width = width;
    this.textSize = textSize;
  }

  /**
   * A line of text; `y` is its baseline.
   *
   * @param {number} x
   * @param {number} y
   * @param {string} text
   * @param {TextStyle} [style]
   */
  text(x, y, text, style = {}) {
    const { anchor = "start", color = "ink", mono = false, weight, italic, size } = style;
    this.#add("text", {
      x,
      y,
      fill: colour(color),
      "font-family": mono ? faces.mono : undefined,
      "font-size": size ?? (mono ? this.textSize - 1 : undefined),
      "font-weight": weight,
      "font-style": italic ? "italic" : undefined,
      "text-anchor": anchor === "start" ? undefined : anchor,
      style: mono ? "white-space:pre" : undefined,
      text,
    });
  }

  /**
   * Several lines of text, one under the other.
   *
   * @param {number} x
   * @param {number} y the first one's baseline
   * @param {string[]} lines
   * @param {TextStyle} [style]
   */
  paragraph(x, y, lines, style = {}) {
    const step = Math.round((style.size ?? this.textSize) * 1.3);
    for (const [index, line] of lines.entries()) this.text(x, y + index * step, line, style);
  }

  /**
   * @param {number} x
   * @param {number} y
   * @param {number} width
   * @param {number} height
   * @param {BoxStyle} [style]
   */
  box(x, y, width, height, style = {}) {
    const { fill = "fill", stroke = "line", radius = 4, dashed = false } = style;
    this.#add("rect", {
      x,
      y,
      width,
      height,
      rx: radius || undefined,
      fill: fill === "none" ? "none" : colour(fill),
      stroke: stroke === "none" ? undefined : colour(stroke),
      "stroke-width": stroke === "none" ? undefined : (style.width ?? 1.5),
      "stroke-dasharray": dashed ? "5 4" : undefined,
    });
  }

  /**
   * A box with text in its middle.
   *
   * @param {number} x
   * @param {number} y
   * @param {number} width
   * @param {number} height
   * @param {string | string[]} text
   * @param {BoxStyle & { text?: TextStyle }} [style]
   */
  labelledBox(x, y, width, height, text, style = {}) {
    this.box(x, y, width, height, style);
    const lines = [text].flat();
    const step = Math.round(this.textSize * 1.3);
    const first = y + height / 2 - ((lines.length - 1) * step) / 2 + this.textSize * 0.34;
    this.paragraph(x + width / 2, Math.round(first), lines, {
      anchor: "middle",
      ...style.text,
    });
  }

  /**
   * A line through points, with an arrow's head at its end when asked for.
   *
   * @param {Point[]} points
   * @param {LineStyle} [style]
   */
  line(points, style = {}) {
    const { color = "line", width = 1.75, dashed = false, arrow = false, curved = false } = style;
    const end = points[points.length - 1];
    const before = points[points.length - 2];
    const angle = Math.atan2(end[1] - before[1], end[0] - before[0]);
    // The line ends under its head, not at the tip.
    const shortened = arrow ? [...points.slice(0, -1), moveBack(end, angle, 7)] : points;
    this.#add("path", {
      d: curved ? curveThrough(shortened) : pathThrough(shortened),
      fill: "none",
      stroke: colour(color),
      "stroke-width": width,
      "stroke-linejoin": "round",
      "stroke-dasharray": dashed ? "5 4" : undefined,
    });
    if (!arrow) return;
    const wings = [0.42, -0.42].map((turn) => moveBack(end, angle + turn, 11));
    this.#add("path", {
      d: `${pathThrough([wings[0], end, wings[1]])}Z`,
      fill: colour(color),
    });
  }

  /**
   * A line through points that ends in an arrow's head.
   *
   * @param {number[]} coordinates x and y of each point, in turn
   * @param {LineStyle} [style]
   */
  arrow(coordinates, style = {}) {
    /** @type {Point[]} */
    const points = [];
    for (let i = 0; i < coordinates.length; i += 2) {
      points.push([coordinates[i], coordinates[i + 1]]);
    }
    this.line(points, { color: "ink", arrow: true, ...style });
  }

  /**
   * A brace under (or, with a negative depth, over) a stretch of text.
   *
   * @param {number} from
   * @param {number} to
   * @param {number} y
   * @param {{ color?: Colour, depth?: number }} [style]
   */
  bracket(from, to, y, { color = "line", depth = 7 } = {}) {
    const points = /** @type {Point[]} */ ([
      [from, y],
      [from, y + depth],
      [to, y + depth],
      [to, y],
    ]);
    this.line(points, { color, width: 1.5 });
  }

  /**
   * A number in a circle, for steps that are explained elsewhere.
   *
   * @param {number} x of its middle
   * @param {number} y
   * @param {number} number
   * @param {Colour} [color]
   */
  badge(x, y, number, color = "accent") {
    const size = this.textSize;
    this.#add("circle", { cx: x, cy: y, r: size * 0.68, fill: colour(color) });
    this.text(x, y + size * 0.34, String(number), {
      anchor: "middle",
      color: "paper",
      weight: 600,
    });
  }

  /**
   * Explains numbered steps: each has one line or several.
   *
   * @param {number} y of the first line's middle
   * @param {(string | string[])[]} steps
   * @returns {number} where the last one ends
   */
  steps(y, steps) {
    const size = this.textSize;
    let top = y;
    for (const [index, step] of steps.entries()) {
      const lines = [step].flat();
      this.badge(size * 0.7, top, index + 1);
      this.paragraph(size * 1.9, top + size * 0.34, lines);
      top += Math.round(size * 1.3) * lines.length + size * 0.5;
    }
    return Math.round(top - size * 0.5);
  }

  /**
   * @param {string} tag
   * @param {Record<string, string | number | undefined>} attributes
   */
  #add(tag, { text, ...attributes }) {
    const written = Object.entries(attributes)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => ` ${name}="${escapeXml(formatValue(value))}"`)
      .join("");
    const content = text === undefined ? "/>" : `>${escapeXml(String(text))}</${tag}>`;
    this.#shapes.push(`<${tag}${written}${content}`);
  }

  /**
   * @param {{ title: string, description: string }} words
   * @returns {string} the SVG file
   */
  toSvg({ title, description }) {
    if (!this.height) throw new Error(`"${title}": the canvas has no height`);
    return [
      `<svg xmlns="http://www.w3.org/2000/svg" width="${this.width}" height="${this.height}"` +
        ` viewBox="0 0 ${this.width} ${this.height}" font-family="${faces.sans}"` +
        ` font-size="${this.textSize}" role="img" aria-labelledby="title description">`,
      `<title id="title">${escapeXml(title)}</title>`,
      `<desc id="description">${escapeXml(description)}</desc>`,
      standaloneStyle({}),
      `<rect data-standalone="" width="100%" height="100%" fill="${colour("paper")}"/>`,
      ...this.#shapes,
      "</svg>\n",
    ].join("\n");
  }
}

/**
 * A figure's files: NAME.svg and, for narrow pages, NAME.narrow.svg.
 *
 * @param {Figure & { name: string }} figure
 * @returns {{ file: string, svg: string }[]}
 */
export function renderFigure({ name, title, description, wide, narrow }) {
  const files = [{ file: `${name}.svg`, canvas: new Canvas(wideWidth, wideText), draw: wide }];
  if (narrow) {
    const canvas = new Canvas(narrowWidth, narrowText);
    files.push({ file: `${name}.narrow.svg`, canvas, draw: narrow });
  }
  return files.map(({ file, canvas, draw }) => {
    draw(canvas);
    return { file, svg: canvas.toSvg({ title, description }) };
  });
}

/**
 * The colours of an image that stands alone. The preprocessor takes this out
 * when it puts the figure into a page.
 *
 * @param {Record<string, string[]>} [more] colours, in a light and a dark image
 */
export function standaloneStyle(more = chartColours) {
  const variables = (/** @type {number} */ which) =>
    Object.entries({ ...colours, ...more })
      .map(([name, values]) => `--figure-${name}:${values[which]}`)
      .join(";");
  return (
    `<style data-standalone="">:root{${variables(0)}}` +
    `@media (prefers-color-scheme:dark){:root{${variables(1)}}}</style>`
  );
}

/** @param {Point[]} points */
function pathThrough(points) {
  return points.map(([x, y], index) => `${index ? "L" : "M"}${round(x)} ${round(y)}`).join("");
}

/**
 * One smooth curve: the points between the first and the last pull at it.
 *
 * @param {Point[]} points
 */
function curveThrough([start, ...rest]) {
  const command = rest.length === 3 ? "C" : "Q";
  return `M${start.map(round).join(" ")}${command}${rest.flat().map(round).join(" ")}`;
}

/**
 * @param {Point} point
 * @param {number} angle
 * @param {number} distance
 * @returns {Point}
 */
function moveBack([x, y], angle, distance) {
  return [x - Math.cos(angle) * distance, y - Math.sin(angle) * distance];
}

/** @param {string | number | undefined} value */
function formatValue(value) {
  return typeof value === "number" ? String(round(value)) : String(value);
}

/** @param {number} value */
function round(value) {
  return Math.round(value * 10) / 10;
}

/** @param {string} text */
function escapeXml(text) {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

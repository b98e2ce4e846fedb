/** SVG files as figures inside the page, so that they follow its theme. */

import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { parseFragment, serializeOuter } from "parse5";
import { Problem } from "../book/problem.js";

/**
 * @typedef {import("parse5").DefaultTreeAdapterTypes.Node} Node
 * @typedef {import("parse5").DefaultTreeAdapterTypes.Element} Element
 */

/**
 * An image of a chapter.
 *
 * @typedef {object} Image
 * @property {string} url as the chapter writes it
 * @property {string} alt
 * @property {string} file the chapter, for messages
 * @property {number} line
 */

/** Attributes that name another element's id, with or without a `#`. */
const idLists = new Set(["aria-labelledby", "aria-describedby"]);
const idReferences = new Set(["href", "xlink:href"]);

/**
 * Reads an SVG file and makes it a part of a page. Where a drawing for narrow
 * pages lies beside it (NAME.narrow.svg), both go into the page, and its style
 * sheet shows one of them.
 *
 * @param {Image} image
 * @param {{ folder: string, prefix: string }} options the chapters' folder, and
 *   what ids shall begin with
 * @returns {string} HTML, on one line
 * @throws {Problem} when there is no such file, or no SVG in it
 */
export function renderFigure(image, { folder, prefix }) {
  const location = path.join(folder, image.url);
  const narrow = location.replace(/\.svg$/, ".narrow.svg");
  if (!existsSync(narrow)) {
    return `<figure class="figure">${embed(location, image, { prefix })}</figure>`;
  }
  return (
    '<figure class="figure">' +
    embed(location, image, { prefix, className: "wide" }) +
    embed(narrow, image, { prefix: `${prefix}narrow-`, className: "narrow" }) +
    "</figure>"
  );
}

/**
 * An SVG file as an element: its ids get a prefix, since the print page holds
 * all chapters, and what is there for standing alone goes, since the page has
 * colours of its own.
 *
 * @param {string} location
 * @param {Image} image
 * @param {{ prefix: string, className?: string }} options
 */
function embed(location, image, options) {
  const html = inlineSvg(readSvg(location, image), { ...options, label: image.alt });
  if (!html) throw new Problem(image.file, image.line, `${image.url} holds no <svg>`);
  return html;
}

/**
 * @param {string} text an SVG file's, from its root element on
 * @param {{ prefix: string, className?: string, label: string }} options what
 *   ids shall begin with, and what to call it where it has no title
 * @returns {string | undefined} an element, on one line; nothing when there is none
 */
export function inlineSvg(text, { prefix, className, label }) {
  const svg = firstElement(parseFragment(text));
  if (!svg) return undefined;
  adapt(svg, prefix);
  setAttribute(svg, "role", "img");
  if (className) setAttribute(svg, "class", className);
  if (!svg.attrs.some(({ name }) => name === "aria-labelledby")) {
    setAttribute(svg, "aria-label", label);
  }
  return serializeOuter(svg).replaceAll(/\s*\n\s*/g, " ");
}

/**
 * @param {string} location
 * @param {Image} image
 */
function readSvg(location, { url, file, line }) {
  try {
    const text = readFileSync(location, "utf8");
    // HTML has no XML declaration: what comes before the root element goes.
    return text.slice(text.indexOf("<svg"));
  } catch {
    throw new Problem(file, line, `there is no figure ${url}`);
  }
}

/**
 * @param {import("parse5").DefaultTreeAdapterTypes.DocumentFragment} fragment
 * @returns {Element | undefined}
 */
function firstElement(fragment) {
  return fragment.childNodes.filter(isElement).find(({ tagName }) => tagName === "svg");
}

/**
 * @param {Node} node
 * @returns {node is Element}
 */
function isElement(node) {
  return "tagName" in node;
}

/**
 * @param {Element} element
 * @param {string} prefix
 */
function adapt(element, prefix) {
  for (const attribute of element.attrs) {
    const { name, value } = attribute;
    if (name === "id") {
      attribute.value = prefix + value;
    } else if (idLists.has(name)) {
      attribute.value = value
        .split(/\s+/)
        .map((id) => prefix + id)
        .join(" ");
    } else if (idReferences.has(name) && value.startsWith("#")) {
      attribute.value = `#${prefix}${value.slice(1)}`;
    } else {
      attribute.value = value.replaceAll("url(#", `url(#${prefix}`);
    }
  }
  element.attrs = element.attrs.filter(({ name }) => name !== "xmlns");
  element.childNodes = element.childNodes.filter(
    (child) =>
      child.nodeName !== "#comment" &&
      !(isElement(child) && child.attrs.some(({ name }) => name === "data-standalone")),
  );
  for (const child of element.childNodes) if (isElement(child)) adapt(child, prefix);
}

/**
 * @param {Element} element
 * @param {string} name
 * @param {string} value
 */
function setAttribute(element, name, value) {
  const present = element.attrs.find((attribute) => attribute.name === name);
  if (present) present.value = value;
  else element.attrs.push({ name, value });
}

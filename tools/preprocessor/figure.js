/** SVG files as figures inside the page, so that they follow its theme. */

import { readFileSync } from "node:fs";
import path from "node:path";
import { parseFragment, serializeOuter } from "parse5";
import { Problem } from "../walk/problem.js";
import { escapeHtml } from "./html.js";

/**
 * @typedef {import("parse5").DefaultTreeAdapterTypes.Node} Node
 * @typedef {import("parse5").DefaultTreeAdapterTypes.Element} Element
 */

/** Attributes that name another element's id, with or without a `#`. */
const idLists = new Set(["aria-labelledby", "aria-describedby"]);
const idReferences = new Set(["href", "xlink:href"]);

/**
 * Reads an SVG file and makes it a part of a page: its ids get a prefix, since
 * the print page holds all chapters, and its style block for standing alone
 * (`<style data-standalone>`) goes, since the page has colours of its own.
 *
 * @param {object} image
 * @param {string} image.url as the chapter writes it
 * @param {string} image.alt
 * @param {string} image.file the chapter, for messages
 * @param {number} image.line
 * @param {{ folder: string, prefix: string }} options the chapters' folder
 * @returns {string} HTML, on one line
 * @throws {Problem} when there is no such file, or no SVG in it
 */
export function renderFigure({ url, alt, file, line }, { folder, prefix }) {
  const svg = firstElement(parseFragment(readSvg(path.join(folder, url), { url, file, line })));
  if (!svg) throw new Problem(file, line, `${url} holds no <svg>`);
  adapt(svg, prefix);
  setAttribute(svg, "role", "img");
  if (!svg.attrs.some(({ name }) => name === "aria-labelledby")) {
    setAttribute(svg, "aria-label", alt);
  }
  const html = serializeOuter(svg).replaceAll(/\s*\n\s*/g, " ");
  return `<figure class="figure">${html}</figure>`;
}

/**
 * @param {string} location
 * @param {{ url: string, file: string, line: number }} image
 */
function readSvg(location, { url, file, line }) {
  try {
    const text = readFileSync(location, "utf8");
    // HTML has no XML declaration: what comes before the root element goes.
    return text.slice(text.indexOf("<svg"));
  } catch {
    throw new Problem(file, line, `there is no figure ${escapeHtml(url)}`);
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

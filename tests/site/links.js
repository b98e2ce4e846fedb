/** Reads a built site's pages without a browser. */

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { parse } from "parse5";

/** @typedef {import("parse5").DefaultTreeAdapterTypes.Node} Node */
/** @typedef {import("parse5").DefaultTreeAdapterTypes.Element} Element */

/**
 * @typedef {object} Page
 * @property {string} file as "ch01-x.html"
 * @property {Element[]} elements
 * @property {Set<string>} ids
 * @property {string[]} repeatedIds
 */

/**
 * @param {string} folder
 * @returns {Page[]}
 */
export function readPages(folder) {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".html"))
    .sort()
    .map((file) => readPage(folder, file));
}

/**
 * @param {string} folder
 * @param {string} file
 * @returns {Page}
 */
function readPage(folder, file) {
  const elements = listElements(parse(readFileSync(path.join(folder, file), "utf8")));
  const all = elements.map((element) => attribute(element, "id")).filter((id) => id !== undefined);
  return {
    file,
    elements,
    ids: new Set(all),
    repeatedIds: all.filter((id, index) => all.indexOf(id) !== index),
  };
}

/**
 * @param {Node} node
 * @returns {Element[]}
 */
function listElements(node) {
  const children = "childNodes" in node ? node.childNodes.flatMap(listElements) : [];
  return "tagName" in node ? [node, ...children] : children;
}

/**
 * @param {Element} element
 * @param {string} name
 */
export function attribute(element, name) {
  return element.attrs.find((each) => each.name === name)?.value;
}

/**
 * The links of all pages that lead nowhere: to a file that isn't there, or to
 * a part of a page that isn't.
 *
 * @param {Page[]} pages
 * @param {(file: string) => boolean} exists whether the site has another file
 * @returns {string[]}
 */
export function brokenLinks(pages, exists) {
  return pages.flatMap((page) =>
    page.elements.flatMap((element) => {
      const link = attribute(element, "href") ?? attribute(element, "src");
      if (link === undefined || /^(?:[a-z]+:|\/\/)/i.test(link)) return [];
      const target = new URL(link, `site:/${page.file}`);
      const file = decodeURIComponent(target.pathname.slice(1)) || page.file;
      const id = decodeURIComponent(target.hash.slice(1));
      const other = pages.find((each) => each.file === file);
      if (!other && !exists(file)) return [`${page.file}: ${link}: no such file`];
      if (id && other && !other.ids.has(id)) return [`${page.file}: ${link}: no such heading`];
      return [];
    }),
  );
}

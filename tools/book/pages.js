import { headingsOf, mdbookId } from "../lib/headings.js";
import { parseMarkdown } from "./markdown.js";
import { Problem } from "./problem.js";

/** @import { Html } from "mdast" */

/**
 * A page of the site. A chapter that is long has several: a comment
 * `<!-- page: Its title -->` between two sections begins each but the first.
 *
 * @typedef {object} SitePage
 * @property {string | null} title  null for the first one, whose `#` heading says it
 * @property {string} name  its file's name on the site, without `.html`
 * @property {number} line  the comment's, or 1
 */

/**
 * The comment that begins a page.
 *
 * @typedef {{ node: Html, title: string, line: number }} Marker
 */

const MARKER = /^<!-- page: (\S(?:.*\S)?) -->$/;

/**
 * Finds where pages begin.
 *
 * @param {string} file  the chapter's, used in messages
 * @param {import("mdast").Root} tree
 * @returns {Marker[]}
 * @throws {Problem} for a comment that looks like a marker and isn't one
 */
export function findMarkers(file, tree) {
  /** @type {Marker[]} */
  const markers = [];
  for (const node of tree.children) {
    if (node.type !== "html" || !/^<!--\s*page\b/.test(node.value)) continue;
    const line = node.position?.start.line ?? 1;
    const title = MARKER.exec(node.value)?.[1];
    if (title === undefined) {
      throw new Problem(file, line, "this doesn't begin a page", [
        "expected  <!-- page: Its title -->, alone on its line",
        `got       ${node.value}`,
      ]);
    }
    markers.push({ node, title, line });
  }
  return markers;
}

/**
 * The pages of a chapter, and which of them holds what can be linked to.
 */
export class SitePages {
  /** @type {SitePage[]} */
  pages;
  /** @type {Map<string, SitePage>} */
  #byAnchor = new Map();

  /**
   * @param {string} file  the chapter's path, as `chapters/ch11-talking-back.md`
   * @param {string} markdown
   * @throws {Problem} if a marker can't be read, or a heading is there twice
   */
  constructor(file, markdown) {
    const name = file.replace(/^.*\//, "").replace(/\.md$/, "");
    const prefix = /^ch\d\d/.exec(name)?.[0] ?? name;
    const markers = findMarkers(file, parseMarkdown(markdown));
    this.pages = [
      { title: null, name, line: 1 },
      ...markers.map(({ title, line }) => ({
        title,
        name: `${prefix}-${mdbookId(title)}`,
        line,
      })),
    ];
    if (markers.length === 0) return;

    for (const { anchor, text, line } of headingsOf(markdown)) {
      if (/-\d+$/.test(anchor) && anchor !== mdbookId(text)) {
        throw new Problem(file, line, "a chapter of several pages has each heading once", [
          `got  ${text}, again`,
        ]);
      }
      this.#byAnchor.set(anchor, this.at(line));
    }
    for (const [index, text] of markdown.split("\n").entries()) {
      for (const [, id] of text.matchAll(/\bid="([^"]+)"/g)) {
        if (!this.#byAnchor.has(id)) this.#byAnchor.set(id, this.at(index + 1));
      }
    }
  }

  /**
   * The page that holds a line of the chapter's file.
   *
   * @param {number} line
   */
  at(line) {
    return this.pages.findLast((page) => page.line <= line) ?? this.pages[0];
  }

  /**
   * The page that holds what a link names; the first one holds all the rest.
   *
   * @param {string | undefined} anchor
   */
  withAnchor(anchor) {
    return this.#byAnchor.get(anchor ?? "") ?? this.pages[0];
  }
}

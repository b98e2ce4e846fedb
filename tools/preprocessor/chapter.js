/** A chapter's Markdown as mdBook shall see it. */

import path from "node:path";
import { SKIP, visit } from "unist-util-visit";
import { applyEdits } from "../book/edits.js";
import { parseFence } from "../book/fence.js";
import { parseMarkdown } from "../book/markdown.js";
import { findMarkers } from "../book/pages.js";
import { Problem } from "../book/problem.js";
import { renderFigure } from "./figure.js";
import { escapeHtml } from "./html.js";
import { labName, renderLab } from "./lab.js";
import { renderDiff, renderListing } from "./listing.js";
import { renderTerminal } from "./terminal.js";

/**
 * @import { Code, Heading, Image, Link, Paragraph, Root } from "mdast"
 * @import { Edit } from "../book/edits.js"
 * @import { Build } from "../book/build.js"
 * @import { Fence } from "../book/fence.js"
 * @import { SitePages } from "../book/pages.js"
 * @import { Highlighter } from "./highlight.js"
 * @import { Task } from "./listing.js"
 */

/**
 * @typedef {object} Page
 * @property {Build} build the chapter as the walker works it out
 * @property {string | null} number "3", or null for a page without one
 * @property {string | null} part the part's title
 * @property {string} folder the chapters' folder
 * @property {Highlighter} highlighter
 * @property {string | null} repository its address
 * @property {string[]} copied files that mdBook copies beside the pages
 * @property {Map<string, SitePages>} sites each chapter's pages on the site, by
 *   its file's name
 */

/** Stands between the pages of a chapter. Markdown can't hold it. */
const PAGE_BREAK = "\0";

/**
 * Replaces listings, transcripts, figures and labs by their HTML, takes the
 * comments out, and says where the chapter stands in the book and its code in the
 * repository. Everything else stays as it is, to the character.
 *
 * @param {string} markdown
 * @param {Page} page
 * @returns {string[]} the Markdown of each of the chapter's pages
 * @throws {Problem} naming the chapter and the line
 */
export function weaveChapter(markdown, page) {
  const tree = parseMarkdown(markdown);
  const edits = [
    ...findEdits(tree, markdown, page),
    ...placeInBook(tree, page),
    ...findMarkers(page.build.chapter.file, tree).map(({ node, title }) =>
      replaceNode(node, `${PAGE_BREAK}\n# ${title}\n`),
    ),
  ];
  const pages = (applyEdits(markdown, edits) + linkToMilestone(page)).split(PAGE_BREAK);
  return pages.map((text, index) => (index === 0 ? text : placeOf(page, index) + text));
}

/**
 * @param {Root} tree
 * @param {string} markdown
 * @param {Page} page
 * @returns {Edit[]}
 */
function findEdits(tree, markdown, page) {
  /** @type {Edit[]} */
  const edits = [];
  const { file, name } = page.build.chapter;
  let figures = 0;
  const files = trackFiles(page.build);
  /** @type {Set<import("unist").Node>} */
  const marked = new Set(findMarkers(file, tree).map(({ node }) => node));

  visit(tree, (node) => {
    switch (node.type) {
      case "html": {
        const lab = labName(node.value);
        if (lab !== undefined) {
          const { folder, copied } = page;
          const options = { folder, prefix: `${name}-lab-${lab}-`, copied };
          const html = renderLab(lab, { file, line: lineOf(node) }, options);
          edits.push(replaceBlock(markdown, node, html));
        } else if (isComment(node.value) && !marked.has(node)) {
          edits.push(replaceNode(node, ""));
        }
        return undefined;
      }
      case "link":
        edits.push(...leadToPage(node, markdown, page));
        return undefined;
      case "code":
        edits.push(replaceBlock(markdown, node, renderCode(node, page, files)));
        return undefined;
      case "paragraph": {
        const image = onlyFigure(node);
        if (!image) return undefined;
        figures += 1;
        const { url, alt } = image;
        const line = lineOf(image);
        const html = renderFigure(
          { url, alt: alt ?? "", file, line },
          { folder: page.folder, prefix: `${name}-figure${figures}-` },
        );
        edits.push(replaceBlock(markdown, node, html));
        return SKIP;
      }
      case "image":
        if (isFigure(node)) {
          throw new Problem(file, lineOf(node), "a figure stands in a paragraph of its own", [
            `got  ${node.url} with text beside it`,
          ]);
        }
        return undefined;
      default:
        return undefined;
    }
  });
  return edits;
}

/**
 * @param {Code} node
 * @param {Page} page
 * @param {ReturnType<typeof trackFiles>} files
 * @returns {string}
 */
function renderCode(node, { build, highlighter }, files) {
  const info = [node.lang, node.meta].filter(Boolean).join(" ");
  const lines = node.value.split("\n");
  const fence = parseFence(build.chapter.file, lineOf(node), info, lines);
  if (fence.language === "console") return renderTerminal(fence);
  if (fence.language === "diff") {
    return renderDiff(fence, { highlighter, ...files.at(fence) });
  }
  return renderListing(fence, { highlighter, task: files.task(fence) });
}

/**
 * The texts of the chapter's files before and after each of its listings, as
 * far as the walker got: a chapter with a mistake in it is still a page.
 *
 * @param {Build} build
 */
function trackFiles({ start, steps }) {
  /** @type {Map<number, { before?: string, after: string }>} */
  const states = new Map();
  /** @type {Map<string, string>} */
  const latest = new Map();
  for (const step of steps) {
    if (step.kind !== "file") continue;
    const known = start.has(step.path) ? start.text(step.path) : undefined;
    const before = latest.get(step.path) ?? known;
    states.set(step.line, { before, after: step.text });
    latest.set(step.path, step.text);
  }
  return {
    /** @param {Fence} fence */
    at: ({ line }) => states.get(line) ?? {},
    /**
     * @param {Fence} fence
     * @returns {Task | undefined}
     */
    task({ line }) {
      const state = states.get(line);
      if (!state) return undefined;
      return state.before === undefined ? "new file" : "replace";
    },
  };
}

/**
 * The line over the title: which part and which chapter this is.
 *
 * @param {Root} tree
 * @param {Page} page
 * @returns {Edit[]}
 */
function placeInBook(tree, page) {
  const title = tree.children.find(
    /** @returns {node is Heading} */ (node) => node.type === "heading" && node.depth === 1,
  );
  if (!title) return [];
  const start = title.position?.start.offset ?? 0;
  return [{ start, end: start, text: placeOf(page, 0) }];
}

/**
 * @param {Page} page
 * @param {number} index  which of the chapter's pages
 */
function placeOf({ number, part, sites, build }, index) {
  if (number === null) return "";
  const { pages } = siteOf(sites, build.chapter.file);
  const chapter = `Chapter ${number}`;
  const place = pages.length > 1 ? `${chapter}, page ${index + 1} of ${pages.length}` : chapter;
  const words = [part, place].filter((word) => word !== null).join(" · ");
  return `<p class="place-in-book">${escapeHtml(words)}</p>\n\n`;
}

/**
 * Has a link to a section lead to the page that holds it.
 *
 * @param {Link} node
 * @param {string} markdown
 * @param {Page} page
 * @returns {Edit[]}
 */
function leadToPage(node, markdown, { build, sites }) {
  const { file } = build.chapter;
  const [, target, anchor] = /^([^/#]*)#(.+)$/.exec(node.url) ?? [];
  if (anchor === undefined) return [];
  const site = target === "" ? siteOf(sites, file) : sites.get(target);
  if (!site || site.pages.length === 1) return [];
  const { name } = site.withAnchor(decodeURIComponent(anchor));
  const here = siteOf(sites, file).at(lineOf(node)).name;
  const url = name === here ? `#${anchor}` : `${name}.md#${anchor}`;
  const { start, end } = replaceNode(node, "");
  const opening = markdown.slice(start, end).lastIndexOf(`](${node.url}`);
  if (opening === -1) {
    throw new Problem(
      file,
      lineOf(node),
      "a link to a section is written [words](page.md#anchor)",
      [`got  ${markdown.slice(start, end)}`],
    );
  }
  const from = start + opening + "](".length;
  return [{ start: from, end: from + node.url.length, text: url }];
}

/**
 * @param {Map<string, SitePages>} sites
 * @param {string} file
 * @returns {SitePages}
 */
function siteOf(sites, file) {
  const site = sites.get(path.basename(file));
  if (!site) throw new Error(`nobody has looked for the pages of ${file}`);
  return site;
}

/**
 * @param {Page} page
 * @returns {string}
 */
function linkToMilestone({ build, repository }) {
  const { milestone } = build.chapter;
  if (!milestone) return "";
  const folder = `<code>code/${escapeHtml(milestone)}</code>`;
  const link = repository
    ? `<a href="${escapeHtml(`${repository}/tree/HEAD/code/${milestone}`)}">${folder}</a>`
    : folder;
  return `\n\n<p class="milestone">What you have at the end of this chapter is in ${link}.</p>\n`;
}

/** @param {string} html */
function isComment(html) {
  const text = html.trim();
  return text.startsWith("<!--") && text.indexOf("-->") === text.length - 3;
}

/**
 * @param {Paragraph} paragraph
 * @returns {Image | null}
 */
function onlyFigure({ children }) {
  const [only] = children;
  return children.length === 1 && only.type === "image" && isFigure(only) ? only : null;
}

/** @param {Image} image */
function isFigure({ url }) {
  return !/^[a-z]+:/i.test(url) && path.extname(url) === ".svg";
}

/** @param {import("unist").Node} node */
function lineOf(node) {
  return node.position?.start.line ?? 0;
}

/**
 * @param {import("unist").Node} node
 * @param {string} text
 * @returns {Edit}
 */
function replaceNode({ position }, text) {
  const start = position?.start.offset ?? 0;
  return { start, end: position?.end.offset ?? start, text };
}

/**
 * @param {string} markdown
 * @param {import("unist").Node} node
 * @param {string} html
 * @returns {Edit}
 */
function replaceBlock(markdown, node, html) {
  const { start, end } = replaceNode(node, html);
  return { start, end, text: html + endOfBlock(markdown, start, end) };
}

/**
 * A block of HTML goes on to the next empty line. Where text follows a fence
 * at once, an empty line has to come between, inside the quote or the list
 * that both stand in.
 *
 * @param {string} markdown
 * @param {number} start of the fence
 * @param {number} end
 */
function endOfBlock(markdown, start, end) {
  const nextLine = markdown.slice(end).split("\n", 2)[1];
  const opening = markdown.slice(markdown.lastIndexOf("\n", start - 1) + 1, start);
  const container = [...opening].map((char) => (char === ">" ? ">" : " ")).join("");
  if (nextLine === undefined || nextLine.replaceAll(/[>\s]/g, "") === "") return "";
  return `\n${container.trimEnd()}`;
}

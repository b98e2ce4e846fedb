import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { visit } from "unist-util-visit";
import { headingsOf } from "../lib/headings.js";
import { listFiles } from "./list-files.js";
import { parseMarkdown } from "./markdown.js";
import { Problem } from "./problem.js";

/** Where pages are that link to each other. */
const FOLDERS = ["benchmarks", "tools"];

/** What the site is made of. */
const CHAPTERS = "chapters/";

/**
 * A link, or an image, to something in the repository.
 *
 * @typedef {{ url: string, line: number, isImage: boolean }} Link
 */

/**
 * Finds the links between pages that lead nowhere: to a file that isn't there,
 * to a part that a page doesn't have, or off the site.
 *
 * @param {string} root  the repository's root
 * @returns {Problem[]}
 */
export function brokenLinks(root) {
  const pages = new Map(
    pagesOf(root).map((file) => [file, readFileSync(join(root, file), "utf8")]),
  );
  /** What can be linked to in each page. @type {Map<string, Set<string>>} */
  const anchors = new Map();
  for (const [file, text] of pages) anchors.set(file, anchorsOf(text));
  const summary = pages.get(`${CHAPTERS}SUMMARY.md`);
  const onSite =
    summary && new Set(linksOf(summary).map(({ url }) => posix.join(CHAPTERS, url.split("#")[0])));

  /**
   * @param {string} file
   * @param {Link} link
   */
  function whyBroken(file, { url, isImage }) {
    const [path, anchor] = url.split("#").map(decodeURIComponent);
    const target = path === "" ? file : posix.join(posix.dirname(file), path);
    if (target.startsWith("../")) return "it leaves the repository";
    if (!existsSync(join(root, target))) return `there is no ${target}`;
    if (file.startsWith(CHAPTERS) && !isImage && !target.startsWith(CHAPTERS)) {
      return `${target} is not on the site: name it in code, without a link`;
    }
    if (file.startsWith(CHAPTERS) && onSite && target.endsWith(".md") && !onSite.has(target)) {
      return `${target} is not on the site: SUMMARY.md doesn't list it`;
    }
    const known = anchors.get(target);
    if (!anchor || !known || known.has(anchor)) return undefined;
    return `${target} has no #${anchor}${nearest(anchor, known)}`;
  }

  const problems = [];
  for (const [file, text] of pages) {
    for (const link of linksOf(text)) {
      const reason = whyBroken(file, link);
      if (reason === undefined) continue;
      problems.push(new Problem(file, link.line, `${link.url} leads nowhere: ${reason}`));
    }
  }
  return problems;
}

/**
 * The book's pages, and those beside it that are read in the repository.
 *
 * @param {string} root
 * @returns {string[]} their paths from there
 */
export function pagesOf(root) {
  const isPage = (/** @type {string} */ file) => file.endsWith(".md");
  const within = (/** @type {string} */ folder) =>
    listFiles(join(root, folder))
      .filter(isPage)
      .map((file) => `${folder}/${file}`);
  const beside = FOLDERS.filter((folder) => existsSync(join(root, folder))).flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter(isPage)
      .map((file) => `${folder}/${file}`),
  );
  return [...readdirSync(root).filter(isPage), ...beside, ...within("chapters"), ...within("code")];
}

/**
 * The links of a page that stay in the repository.
 *
 * @param {string} markdown
 * @returns {Link[]}
 */
function linksOf(markdown) {
  /** @type {Link[]} */
  const links = [];
  visit(parseMarkdown(markdown), (node) => {
    const line = node.position?.start.line ?? 1;
    if (node.type === "link" || node.type === "image" || node.type === "definition") {
      links.push({ url: node.url, line, isImage: node.type === "image" });
    } else if (node.type === "html") {
      for (const { index, 1: name, 2: url } of node.value.matchAll(/\b(href|src)="([^"]*)"/g)) {
        const before = node.value.slice(0, index).split("\n").length - 1;
        links.push({ url, line: line + before, isImage: name === "src" });
      }
    }
  });
  return links.filter(({ url }) => !/^(?:[a-z][a-z\d+.-]*:|\/)/i.test(url));
}

/** @param {string} markdown */
function anchorsOf(markdown) {
  const ids = headingsOf(markdown).map(({ anchor }) => anchor);
  for (const [, id] of markdown.matchAll(/\bid="([^"]+)"/g)) ids.push(id);
  return new Set(ids);
}

/**
 * @param {string} anchor
 * @param {Set<string>} known
 */
function nearest(anchor, known) {
  const words = anchor.split("-");
  const shared = (/** @type {string} */ id) => words.filter((word) => id.includes(word)).length;
  const [best] = [...known].sort((a, b) => shared(b) - shared(a));
  return best && shared(best) > 0 ? `; #${best}?` : "";
}

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { fromMarkdown } from "mdast-util-from-markdown";
import { visit } from "unist-util-visit";
import { SitePages } from "../book/pages.js";
import { readHeadings } from "../lib/headings.js";

/** @import { Heading } from "../lib/headings.js" */
/** @import { Milestone } from "../lib/milestones.js" */

/**
 * A section of the book, and where it can be read.
 *
 * @typedef {object} Section
 * @property {number} chapter
 * @property {string} heading
 * @property {string} link
 */

/**
 * A chapter's sections by their headings.
 *
 * @param {string} root  the repository's root
 * @param {Milestone} milestone
 * @returns {Map<string, Section>}
 */
export function sectionsOf(root, milestone) {
  const { chapter, number } = milestone;
  if (!existsSync(chapter)) return new Map();
  const linkTo = linker(root, milestone);
  return new Map(
    readHeadings(chapter).map((heading) => [
      heading.text,
      { chapter: number, heading: heading.text, link: linkTo(heading) },
    ]),
  );
}

/**
 * The section with the listing of a file: the first one in the chapter that
 * holds certain words, or in the nearest chapter before it.
 *
 * @param {string} root  the repository's root
 * @param {Milestone[]} milestones  of the chapter and those before it
 * @param {{ path: string, words?: string }} wanted
 * @returns {Section | undefined}
 */
export function sectionWithListing(root, milestones, { path, words = "" }) {
  for (const milestone of milestones.toReversed()) {
    if (!existsSync(milestone.chapter)) continue;
    const line = lineOfListing(readFileSync(milestone.chapter, "utf8"), path, words);
    if (line === undefined) continue;
    const heading = readHeadings(milestone.chapter).findLast((each) => each.line < line);
    return heading && sectionsOf(root, milestone).get(heading.text);
  }
  return undefined;
}

/**
 * @param {string} markdown
 * @param {string} path
 * @param {string} words
 */
function lineOfListing(markdown, path, words) {
  /** @type {number | undefined} */
  let line;
  visit(fromMarkdown(markdown), "code", ({ meta, value, position }) => {
    const isOfFile = (meta ?? "").split(/\s+/).includes(`file=${path}`);
    if (isOfFile && value.includes(words)) line ??= position?.start.line;
  });
  return line;
}

/**
 * Makes links to a chapter's headings that lead somewhere on every machine: to
 * the published book, where package.json says at which address it is, else to
 * the page that was built here, else to the chapter's file. Not to the address
 * where `npm start` serves the book: the reader's own server may have the port.
 *
 * @param {string} root
 * @param {Milestone} milestone
 * @returns {(heading: Heading) => string}
 */
function linker(root, { chapter }) {
  const { homepage } = readPackage(root);
  const site = new SitePages(chapter, readFileSync(chapter, "utf8"));
  return ({ anchor, line }) => {
    const { name } = site.at(line);
    if (homepage) return `${homepage.replace(/\/$/, "")}/${name}.html#${anchor}`;
    const page = join(root, "book", `${name}.html`);
    const built = existsSync(page) ? readFileSync(page, "utf8") : "";
    return built.includes(`id="${anchor}"`)
      ? `${pathToFileURL(page)}#${anchor}`
      : `${chapter}:${line}`;
  };
}

/**
 * @param {string} root
 * @returns {{ homepage?: string }}
 */
function readPackage(root) {
  const file = join(root, "package.json");
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
}

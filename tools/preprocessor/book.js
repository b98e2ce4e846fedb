import path from "node:path";
import { buildAll } from "../book/build.js";
import { parseChapter } from "../book/chapter.js";
import { SitePages } from "../book/pages.js";
import { weaveChapter } from "./chapter.js";
import { createHighlighter } from "./highlight.js";

/**
 * @import { Build } from "../book/build.js"
 * @import { SitePage } from "../book/pages.js"
 */

/**
 * What mdBook hands over, as far as this reads it.
 *
 * @typedef {{ name: string, content: string, number: number[] | null,
 *   path: string | null, source_path?: string | null, parent_names?: string[],
 *   sub_items: BookItem[] }} MdbookChapter
 * @typedef {{ Chapter: MdbookChapter } | { PartTitle: string } | "Separator"} BookItem
 * @typedef {{ items: BookItem[] }} Book
 * @typedef {{ root: string, config: any }} Context
 */

/**
 * Weaves every chapter, in place. A chapter's second page and those behind it
 * stand below the chapter.
 *
 * @param {Book} book
 * @param {Context} context
 */
export async function weaveBook(book, context) {
  const folder = path.join(context.root, context.config.book?.src ?? "src");
  const pages = listPages(book.items);
  for (const { chapter } of pages) chapter.number = fixedNumber(chapter);
  const parsed = pages.map(({ chapter }) =>
    parseChapter(`${path.basename(folder)}/${chapter.path}`, chapter.content),
  );
  for (const { problem } of parsed) if (problem) throw problem;
  const builds = buildAll(parsed);
  const highlighter = await createHighlighter(
    parsed.flatMap(({ fences }) => fences.map(({ language, file }) => ({ language, file }))),
  );
  const sites = new Map(
    parsed.map(({ file, text }) => [path.basename(file), new SitePages(file, text)]),
  );
  for (const [index, { chapter, part }] of pages.entries()) {
    const [first, ...others] = weaveChapter(chapter.content, {
      build: builds[index],
      number: chapter.number?.join(".") ?? null,
      part,
      folder,
      highlighter,
      repository: context.config.output?.html?.["git-repository-url"] ?? null,
      copied: context.config.output?.html?.["additional-js"] ?? [],
      sites,
    });
    chapter.content = first;
    const site = sites.get(path.basename(parsed[index].file))?.pages ?? [];
    const below = others.map((content, i) => pageBelow(chapter, site[i + 1], content, i + 2));
    chapter.sub_items.unshift(...below);
  }
}

/**
 * @param {MdbookChapter} chapter
 * @param {SitePage} page
 * @param {string} content
 * @param {number} count  which of the chapter's pages, from 1
 * @returns {BookItem}
 */
function pageBelow({ name, number }, page, content, count) {
  return {
    Chapter: {
      name: page.title ?? name,
      content,
      number: number && [...number, count],
      path: `${page.name}.md`,
      source_path: null,
      parent_names: [name],
      sub_items: [],
    },
  };
}

/**
 * A chapter keeps its number while those before it aren't written yet, where
 * mdBook would count. An appendix has none.
 *
 * @param {MdbookChapter} chapter
 * @returns {number[] | null}
 */
function fixedNumber({ number, path: file }) {
  const digits = /^ch(\d\d)\b/.exec(file ?? "")?.[1];
  return number === null || digits === undefined ? null : [Number(digits)];
}

/**
 * The book's pages in reading order, each with the part that it stands in.
 *
 * @param {BookItem[]} items
 */
function listPages(items) {
  /** @type {{ chapter: MdbookChapter, part: string | null }[]} */
  const pages = [];
  /** @type {string | null} */
  let part = null;
  /** @param {BookItem[]} items */
  const take = (items) => {
    for (const item of items) {
      if (item === "Separator") continue;
      if ("PartTitle" in item) {
        part = item.PartTitle;
      } else {
        // A chapter without a path is announced and not yet written.
        if (item.Chapter.path !== null) pages.push({ chapter: item.Chapter, part });
        take(item.Chapter.sub_items);
      }
    }
  };
  take(items);
  return pages;
}

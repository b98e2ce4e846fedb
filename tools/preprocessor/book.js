import path from "node:path";
import { buildAll } from "../book/build.js";
import { parseChapter } from "../book/chapter.js";
import { weaveChapter } from "./chapter.js";
import { createHighlighter } from "./highlight.js";

/** @import { Build } from "../book/build.js" */

/**
 * What mdBook hands over, as far as this reads it.
 *
 * @typedef {{ name: string, content: string, number: number[] | null,
 *   path: string | null, sub_items: BookItem[] }} MdbookChapter
 * @typedef {{ Chapter: MdbookChapter } | { PartTitle: string } | "Separator"} BookItem
 * @typedef {{ items: BookItem[] }} Book
 * @typedef {{ root: string, config: any }} Context
 */

/**
 * Weaves every chapter, in place.
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
  for (const [index, { chapter, part }] of pages.entries()) {
    chapter.content = weaveChapter(chapter.content, {
      build: builds[index],
      number: chapter.number?.join(".") ?? null,
      part,
      folder,
      highlighter,
      repository: context.config.output?.html?.["git-repository-url"] ?? null,
      copied: context.config.output?.html?.["additional-js"] ?? [],
    });
  }
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

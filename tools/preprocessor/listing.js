/** Fences of code as figures: files, changes to files, and code to read. */

import { parseHunks } from "../book/diff.js";
import { grammarOf } from "./highlight.js";
import { escapeHtml, hidden, newline } from "./html.js";

/** @import { Hunk } from "../book/diff.js" */
/** @import { Fence } from "../book/fence.js" */
/** @import { Highlighter } from "./highlight.js" */

/**
 * What a listing asks of the reader, in the words of its caption.
 *
 * @typedef {"new file" | "replace" | "change"} Task
 */

const captions = /** @type {Record<Task, string>} */ ({
  "new file": "new file",
  replace: "replace the whole file",
  change: "change",
});

/**
 * A fence whose lines are all there is to it: a file to type, or code to read.
 *
 * @param {Fence} fence
 * @param {{ highlighter: Highlighter, task?: Task }} options
 * @returns {string} HTML, on one line
 */
export function renderListing(fence, { highlighter, task }) {
  const lines = highlighter(fence.lines.join("\n"), grammarOf(fence.language, fence.file));
  const code = `<pre><code>${lines.join(newline)}</code></pre>`;
  if (!fence.file) return `<figure class="listing reading">${code}</figure>`;
  return (
    `<figure class="listing" data-copy="file">${renderCaption(fence.file, task)}` +
    `${code}</figure>`
  );
}

/**
 * A change to a file, hunk by hunk: each has a block of its own, because it is
 * typed, or pasted, in a place of its own.
 *
 * @param {Fence} fence
 * @param {object} options
 * @param {Highlighter} options.highlighter
 * @param {string} [options.before] the file's text before the change
 * @param {string} [options.after] and after it
 * @returns {string} HTML, on one line
 */
export function renderDiff(fence, { highlighter, before, after }) {
  const language = grammarOf("diff", fence.file);
  const hunks = parseHunks(fence).map(({ place, lines }) => {
    const without = (/** @type {string} */ other) => lines.filter(({ sign }) => sign !== other);
    const isRemoval = lines.some(({ sign }) => sign === "-");
    const older = isRemoval ? highlightWithin(without("+"), before, language, highlighter) : [];
    const newer = highlightWithin(without("-"), after, language, highlighter);
    const body = lines.map(({ sign }) => {
      if (sign === "-") return renderLine("del", "removed: ", older.shift());
      const html = newer.shift();
      if (sign === "+") return renderLine("ins", "added: ", html);
      older.shift();
      return `<span class="line">${html}${newline}</span>`;
    });
    const where = place ? `<p class="place">${escapeHtml(place)}</p>` : "";
    return `<div class="hunk">${where}<pre><code>${body.join("")}</code></pre></div>`;
  });
  return (
    `<figure class="listing diff" data-copy="hunks">${renderCaption(fence.file ?? "", "change")}` +
    `${hunks.join("")}</figure>`
  );
}

/**
 * @param {"ins" | "del"} tag
 * @param {string} words
 * @param {string} [html]
 */
function renderLine(tag, words, html = "") {
  return `<${tag} class="line">${hidden(words)}${html}${newline}</${tag}>`;
}

/**
 * @param {string} file
 * @param {Task} [task]
 */
function renderCaption(file, task) {
  const words = task ? ` <span class="task">${captions[task]}</span>` : "";
  return `<figcaption><span class="file">${escapeHtml(file)}</span>${words}</figcaption>`;
}

/**
 * Highlights lines as the part of a file that they are. A hunk that begins
 * inside a comment, or inside a template, is coloured right that way.
 *
 * @param {Hunk["lines"]} lines
 * @param {string | undefined} file the whole file's text, where it is known
 * @param {string} language
 * @param {Highlighter} highlighter
 */
function highlightWithin(lines, file, language, highlighter) {
  const texts = lines.map(({ text }) => text);
  const all = file?.split("\n") ?? [];
  const start = all.findIndex((_, index) =>
    texts.every((text, offset) => all[index + offset] === text),
  );
  if (start === -1 || texts.length === 0) return highlighter(texts.join("\n"), language);
  return highlighter(all.join("\n"), language).slice(start, start + texts.length);
}

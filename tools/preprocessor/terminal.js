/** Console fences as terminals. */

import { parseTranscript } from "../book/transcript.js";
import { escapeHtml, newline } from "./html.js";

/** @import { Fence } from "../book/fence.js" */

const names = ["", "Terminal", "another terminal", "a third terminal", "a fourth terminal"];

/**
 * What is typed is marked as such, so that it alone is copied.
 *
 * @param {Fence} fence
 * @returns {string} HTML, on one line
 */
export function renderTerminal(fence) {
  const lines = parseTranscript(fence).flatMap(({ kind, command, output }) => {
    const printed = output.map((text) => `<samp>${escapeHtml(text)}${newline}</samp>`);
    if (kind === "run") return [renderCommand(command), ...printed];
    if (kind === "interrupt") return [`<kbd class="interrupt">^C${newline}</kbd>`, ...printed];
    return printed;
  });
  const name = names[fence.terminal] ?? `terminal ${fence.terminal}`;
  const visibility = fence.terminal === 1 ? ' class="visually-hidden"' : "";
  // A table that was measured is read by its columns: it scrolls, if it must.
  const measured = fence.raw === undefined ? "" : " measured";
  return (
    `<figure class="terminal${measured}" data-copy="commands"><figcaption${visibility}>${name}</figcaption>` +
    `<pre><code>${lines.join("")}</code></pre></figure>`
  );
}

/**
 * The prompt comes from the style sheet: it can't be selected.
 *
 * @param {string} command
 */
function renderCommand(command) {
  return `<kbd class="command">${escapeHtml(command)}${newline}</kbd>`;
}

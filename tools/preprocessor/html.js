/**
 * Text as the content of an element, or as an attribute in double quotes.
 * Newlines become references: the whole of a figure has to be one line of
 * Markdown, since an empty line would end its HTML block.
 *
 * @param {string} text
 */
export function escapeHtml(text) {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("\n", "&#10;");
}

/** A line's end inside `<pre>`. */
export const newline = "&#10;";

/**
 * Text for screen readers alone.
 *
 * @param {string} text
 */
export function hidden(text) {
  return `<span class="visually-hidden">${escapeHtml(text)}</span>`;
}

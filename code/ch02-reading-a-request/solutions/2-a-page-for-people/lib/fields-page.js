/** What to write in HTML for the characters that mean something there. */
const ESCAPES = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/**
 * A page with a table of fields, one row each.
 *
 * @param {Record<string, string | string[]>} fields
 * @returns {string}
 */
export function fieldsPage(fields) {
  const rows = Object.entries(fields).map(([name, value]) => {
    // Set-Cookie is an array.
    const values = [value].flat().map(escapeHtml).join("<br>");
    return `<tr><th>${escapeHtml(name)}</th><td>${values}</td></tr>\n`;
  });
  return (
    "<!doctype html>\n<title>Your request</title>\n" +
    `<table>\n${rows.join("")}</table>\n`
  );
}

/** @param {string} text somebody else's */
function escapeHtml(text) {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character]);
}

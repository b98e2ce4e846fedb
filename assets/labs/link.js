/**
 * Runs a milestone's files in a page, or in a test. They come with the page
 * (tools/lib/lab-files.js collects them), and private names in them are
 * readable ones: for a lab that wants to look inside.
 */

/**
 * A file: its text, cut where it names another file to import.
 *
 * @typedef {object} LabFile
 * @property {string} path from the milestone's folder
 * @property {(string | { file: string })[]} parts
 *
 * @typedef {object} Bundle
 * @property {LabFile[]} files each after those that it imports
 * @property {Record<string, string>} entries the files that a lab asks for, by
 *   the names that it has for them
 * @property {string[]} states the parser's, by their values; none without one
 */

/**
 * What stands for a private name.
 *
 * @param {string} name as `#root`
 */
export function readableName(name) {
  return name.replace("#", "$");
}

/**
 * @param {Bundle} bundle
 * @param {(text: string) => string} toUrl makes an address of a module's text
 * @returns {Promise<Record<string, any>>} the modules by the lab's names
 */
export async function linkModules({ files, entries }, toUrl) {
  /** @type {Map<string, string>} */
  const urls = new Map();
  for (const { path, parts } of files) {
    const text = parts.map((part) =>
      typeof part === "string" ? part : JSON.stringify(urls.get(part.file)),
    );
    urls.set(path, toUrl(text.join("")));
  }
  const modules = Object.entries(entries).map(async ([name, file]) => {
    return [name, await import(/** @type {string} */ (urls.get(file)))];
  });
  return Object.fromEntries(await Promise.all(modules));
}

/**
 * An address that works in Node.js as well as in a page.
 *
 * @param {string} text
 */
export function dataUrl(text) {
  return `data:text/javascript,${encodeURIComponent(text)}`;
}

/** What the site's tests share: books built once, served, and opened. */

import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { SitePages } from "../../tools/book/pages.js";
import { chromiumFlags, ensureChromium } from "../../tools/lib/chromium.js";
import { buildBook } from "../../tools/lib/mdbook.js";
import { root } from "../../tools/lib/setup.js";
import { UserError } from "../../tools/lib/user-error.js";

const fixtures = fileURLToPath(new URL("fixtures/", import.meta.url));

/**
 * The page of the site that has a chapter's lab.
 *
 * @param {string} chapter  its file's name without `.md`
 */
export function pageOfLab(chapter) {
  const file = path.join(root, "chapters", `${chapter}.md`);
  const text = readFileSync(file, "utf8");
  const line = text.split("\n").findIndex((each) => each.startsWith("<!-- lab: ")) + 1;
  if (line === 0) throw new Error(`${chapter} has no lab`);
  return `${new SitePages(file, text).at(line).name}.html`;
}

/** @type {string[]} */
const folders = [];
process.once("exit", () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function temporaryFolder() {
  const folder = mkdtempSync(path.join(tmpdir(), "book-site-"));
  folders.push(folder);
  return folder;
}

/**
 * A folder like the repository's root, as far as mdBook looks, with the
 * chapters of the fixtures.
 *
 * @returns {string}
 */
export function makeSampleBook() {
  const folder = temporaryFolder();
  for (const name of ["theme", "tools", "code"]) {
    symlinkSync(path.join(root, name), path.join(folder, name));
  }
  cpSync(path.join(root, "book.toml"), path.join(folder, "book.toml"));
  cpSync(path.join(fixtures, "chapters"), path.join(folder, "chapters"), { recursive: true });
  cpSync(path.join(fixtures, "assets"), path.join(folder, "assets"), { recursive: true });
  symlinkSync(path.join(root, "assets", "labs"), path.join(folder, "assets", "labs"));
  return folder;
}

/**
 * Builds a book. The repository's own is built once for all test files where
 * BUILT_SITE says in which folder.
 *
 * @param {string} [book] the folder that holds book.toml; the repository's root
 *   unless given
 * @returns {Promise<string>} the folder of the pages
 */
export async function buildSite(book = root) {
  const { BUILT_SITE } = process.env;
  if (book === root && BUILT_SITE) return BUILT_SITE;
  const destination = path.join(temporaryFolder(), "site");
  await buildBook({ book, destination });
  return destination;
}

const types = /** @type {Record<string, string>} */ ({
  ".html": "text/html; charset=utf-8",
  ".css": "text/css",
  ".js": "text/javascript",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
});

/**
 * Serves a folder's files.
 *
 * @param {string} folder
 * @returns {Promise<{ origin: string, close: () => void }>}
 */
export async function serveFolder(folder) {
  const server = createServer((req, res) => {
    const { pathname } = new URL(req.url ?? "/", "http://localhost");
    const name = pathname.endsWith("/") ? `${pathname}index.html` : pathname;
    try {
      const body = readFileSync(path.join(folder, decodeURIComponent(name)));
      const type = types[path.extname(name)] ?? "application/octet-stream";
      res.writeHead(200, { "content-type": type }).end(body);
    } catch {
      res.writeHead(404).end("no such file");
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  return {
    origin: `http://localhost:${port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Why a test that needs a browser is skipped. */
export const noBrowser = "a Chromium is not on this machine";

/**
 * Starts a browser. Without one the tests that need it are skipped, loudly;
 * on CI that is a failure.
 *
 * @returns {Promise<import("playwright-core").Browser | null>}
 */
export async function openBrowser() {
  try {
    const { executablePath, env } = await ensureChromium();
    return await chromium.launch({
      executablePath,
      env: /** @type {Record<string, string>} */ (env),
      args: chromiumFlags,
    });
  } catch (err) {
    if (!(err instanceof UserError) || process.env.CI === "true") throw err;
    console.error(`\n*** THE SITE IS NOT TESTED IN A BROWSER ***\n${err.message}\n`);
    return null;
  }
}

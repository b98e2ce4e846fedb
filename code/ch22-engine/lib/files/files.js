import { HttpError, UsageError } from "../errors.js";
import {
  checkLimit,
  checkOptions,
  checkType,
  checkWhole,
  refuseUnknown,
} from "../options.js";
import { preferredCoding } from "../response/coding.js";
import { isSameStrong } from "../response/etag.js";
import { parseRange } from "../response/range.js";
import { Folder } from "./folder.js";
import { fileNameOf } from "./name.js";
import { typeOf } from "./type.js";

/**
 * @typedef {object} FilesOptions
 * @property {boolean} [dotfiles] also files whose names begin with a dot
 * @property {string} [index] what is sent for a folder; "" for nothing
 * @property {number} [maxAge] seconds for which nobody needs to ask again
 * @property {boolean} [precompressed] for `a.txt`, send `a.txt.br` or
 *   `a.txt.gz` to whoever understands it
 * @property {number} [keepBytes] memory for files that were read
 */

const DEFAULTS = {
  dotfiles: false,
  index: "index.html",
  maxAge: 0,
  precompressed: false,
  keepBytes: 64 * 1024 * 1024,
};

// The favourite first.
const SIBLINGS = { zstd: ".zst", br: ".br", gzip: ".gz" };

/**
 * Makes a handler that sends the files of a folder, for a route that ends
 * in a wildcard: its value is the file's name.
 *
 * @param {string} root the folder
 * @param {FilesOptions} [options]
 * @throws {UsageError} ERR_FOLDER_MISSING, ERR_OPTIONS_INVALID,
 *   ERR_OPTION_UNKNOWN, ERR_OPTION_INVALID
 */
export function files(root, options = {}) {
  const settings = readOptions(options);
  const folder = new Folder(root, settings);
  return (req, res) => answer({ settings, folder }, req, res);
}

function readOptions(options) {
  checkOptions("files", options);
  refuseUnknown(options, Object.keys(DEFAULTS));
  const settings = { ...DEFAULTS };
  for (const name in DEFAULTS) {
    const { [name]: value = DEFAULTS[name] } = options;
    checkType(name, value, typeof DEFAULTS[name]);
    settings[name] = value;
  }
  checkWhole("maxAge", settings.maxAge);
  checkLimit("keepBytes", settings.keepBytes);
  return settings;
}

async function answer(site, req, res) {
  const { settings, folder } = site;
  if (req.method !== "GET" && req.method !== "HEAD") {
    const headers = { allow: "GET, HEAD" };
    throw new HttpError(405, undefined, { headers });
  }
  const name = fileNameOf(wildcardOf(req), settings.dotfiles);
  const found = name === null ? null : await folder.find(name);
  if (found === null) throw new HttpError(404);
  if (!found.stats.isDirectory()) return answerFile(site, name, found, res);
  if (settings.index === "") throw new HttpError(404);
  const indexName = `${name}/${settings.index}`;
  const index = await folder.find(indexName);
  if (index === null || index.stats.isDirectory()) throw new HttpError(404);
  if (!hasSlash(req)) {
    setMaxAge(site, res);
    return res.redirect(withSlash(req), 301);
  }
  return answerFile(site, indexName, index, res);
}

function wildcardOf({ route, params }) {
  if (route?.hasWildcard) return params[route.names.at(-1)];
  throw new UsageError("ERR_WILDCARD_MISSING", `${route ?? "notFound"}`);
}

// A router may ignore the slash at the end of a path. A browser doesn't: it
// resolves the links of a page by it.
function hasSlash({ url, path }) {
  return path.endsWith("/") || url.split("?")[0].endsWith("/");
}

// A path is decoded. To a browser, `?` and `#` end it and `\` is a slash.
function withSlash({ url, path }) {
  const escaped = path.replace(/[?#\\]/g, encodeURIComponent);
  const mark = url.indexOf("?");
  const query = mark === -1 ? "" : url.slice(mark);
  return `${escaped}/${query.replaceAll("\\", "%5C")}`;
}

async function answerFile(site, name, original, res) {
  const { file, coding } = await chooseSibling(site, name, original, res);
  if (coding !== "identity") res.setHeader("content-encoding", coding);
  res.setHeader("content-type", typeOf(name));
  res.setHeader("x-content-type-options", "nosniff");
  res.setHeader("accept-ranges", "bytes");
  res.setHeader("content-length", file.stats.size);
  setMaxAge(site, res);
  const validators = validatorsOf(file, coding);
  if (!res.preconditionsHold(validators)) return undefined;
  if (res.req.method === "HEAD") return res.end();
  const range = rangeOf(res.req, file, validators.etag);
  return bytesOf(site.folder, file, range, res);
}

// Middleware may have said something else.
function setMaxAge({ settings }, res) {
  if (res.hasHeader("cache-control")) return;
  res.setHeader("cache-control", `max-age=${settings.maxAge}`);
}

async function chooseSibling({ settings, folder }, name, original, res) {
  const codings = settings.precompressed ? Object.keys(SIBLINGS) : [];
  if (codings.length > 0) res.vary("accept-encoding");
  while (codings.length > 0) {
    const field = res.req.headers["accept-encoding"];
    const coding = preferredCoding(field, codings);
    if (coding === "identity") break;
    const file = await folder.find(name + SIBLINGS[coding]);
    if (isSibling(file, original)) return { file, coding };
    codings.splice(codings.indexOf(coding), 1);
  }
  return { file: original, coding: "identity" };
}

// A file that is older than another wasn't made of it. A Date has
// milliseconds, and some programs copy it.
function isSibling(file, original) {
  return file?.stats.isFile() && file.stats.mtime >= original.stats.mtime;
}

function validatorsOf({ stats }, coding) {
  const time = Math.round(stats.mtimeMs * 1000).toString(36);
  const suffix = coding === "identity" ? "" : `-${coding}`;
  const etag = `"${stats.size.toString(36)}-${time}${suffix}"`;
  return { etag, lastModified: stats.mtimeMs };
}

// RFC 9110, section 14.2: only GET has ranges.
function rangeOf({ method, headers }, { stats }, etag) {
  const { range, "if-range": ifRange } = headers;
  if (range === undefined || method !== "GET") return null;
  const holds = ifRange === undefined || isSameStrong(ifRange, etag);
  return holds ? parseRange(range, stats.size) : null;
}

function bytesOf(folder, file, range, res) {
  const { size } = file.stats;
  if (range === "none") {
    const headers = { "content-range": `bytes */${size}` };
    throw new HttpError(416, "the file ends before the range", { headers });
  }
  const { start, end } = range ?? { start: 0, end: size };
  if (range !== null) {
    res.status(206);
    res.setHeader("content-range", `bytes ${start}-${end - 1}/${size}`);
    res.setHeader("content-length", end - start);
  }
  return folder.read(file, start, end);
}

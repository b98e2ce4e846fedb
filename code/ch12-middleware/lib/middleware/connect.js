import { HttpError } from "../errors.js";
import { checkMiddleware } from "../router/arguments.js";
import { targetOf } from "../router/path.js";
import { HANG, isThenable } from "./chain.js";

/** @import { Middleware } from "./chain.js" */

/**
 * Middleware that reads `req.url`, and expects it without the path that it
 * hangs at. While `fn` runs, `req.url` is the rest of the path as the
 * router reads it, and the query; `req.baseUrl` is what lies above, and
 * `req.originalUrl` the target as it was sent. Runs inside all other
 * middleware of the path. A rest with an escaped slash or backslash, which
 * `fn` might decode to a path that is guarded, is a 404.
 *
 * @param {Middleware} fn
 * @returns {Middleware}
 * @throws {UsageError} ERR_MIDDLEWARE_INVALID
 */
export function connect(fn) {
  checkMiddleware("connect()", [fn]);
  const at = (depth) => {
    const middleware = (req, res, next) =>
      runBelow(depth, fn, req, res, next);
    return Object.assign(middleware, { [HANG]: at });
  };
  return at(0);
}

function runBelow(depth, fn, req, res, next) {
  const { url, baseUrl, originalUrl } = req;
  let isCut = true;
  // Once: after next() another connect() may have cut for itself.
  const restore = () => {
    if (!isCut) return;
    isCut = false;
    res.off("close", restore);
    Object.assign(req, { url, baseUrl, originalUrl });
  };
  const goOn = (err) => {
    restore();
    return next(err);
  };
  Object.assign(req, cutAt(depth, req.path, url));
  try {
    const value = fn(req, res, goOn);
    if (isThenable(value)) return Promise.resolve(value).finally(restore);
    if (value !== undefined || res.writableEnded) restore();
    // It will call next(), or answer, or the client leaves.
    if (isCut) res.once("close", restore);
    return value;
  } catch (err) {
    restore();
    throw err;
  }
}

function cutAt(depth, path, url) {
  const segments = path.split("/").slice(0, depth + 1);
  const above = segments.join("/");
  const rest = path.slice(above.length) || "/";
  if (/%2F|\\/.test(rest)) throw new HttpError(404);
  const mark = url.indexOf("?");
  const query = mark === -1 ? "" : url.slice(mark);
  return {
    url: targetOf(rest) + query,
    baseUrl: targetOf(above),
    originalUrl: url,
  };
}

import { HttpError } from "../errors.js";
import { checkType, refuseUnknown } from "../options.js";
import { readOrigins } from "./origins.js";

/** @import { Request } from "../request/request.js" */
/** @import { Middleware } from "./chain.js" */

const SAFE = ["GET", "HEAD", "OPTIONS"];

/**
 * Refuses what a page of another origin has a browser send: the algorithm
 * of Go's http.CrossOriginProtection.
 *
 * @param {object} [options]
 * @param {string[]} [options.origins] others that may: "https://a.example"
 * @param {(req: Request) => boolean} [options.exempt] what needs no check
 * @returns {Middleware}
 * @throws {UsageError} ERR_OPTION_INVALID, ERR_OPTION_UNKNOWN
 */
export function csrf(options = {}) {
  refuseUnknown(options, ["origins", "exempt"]);
  const { origins = [], exempt = () => false } = options;
  const trusted = readOrigins("origins", origins);
  checkType("exempt", exempt, "function");
  return (req, _res, next) => {
    const { origin = "" } = req.headers;
    const isFine = SAFE.includes(req.method ?? "") || isOwn(req.headers);
    if (isFine || trusted.has(origin)) return next();
    if (isExempt(exempt, req)) return next();
    throw new HttpError(403, "this was sent by a page of another origin");
  };
}

function isExempt(exempt, req) {
  const answer = exempt(req);
  // A promise would count as true for every request.
  checkType("exempt(req)", answer, "boolean");
  return answer;
}

// Without either field it is no browser's, or a very old one's.
function isOwn(fields) {
  const { "sec-fetch-site": site, origin, host } = fields;
  if (site !== undefined) return site === "same-origin" || site === "none";
  if (origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  const { protocol, host: from } = new URL(origin);
  // With the origin's scheme: then its port goes if it is the usual one.
  const own = `${protocol}//${host ?? ""}`;
  return URL.canParse(own) && new URL(own).host === from;
}

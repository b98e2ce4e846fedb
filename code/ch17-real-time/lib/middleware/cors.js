import { show, UsageError } from "../errors.js";
import {
  checkOptions,
  checkType,
  checkWhole,
  refuseUnknown,
} from "../options.js";
import { readOrigins } from "./origins.js";

/** @import { Middleware } from "./chain.js" */

const ALLOW = "access-control-allow";

// A token without "*". With credentials, "*" would be the name of a field,
// and it never includes Authorization.
const NAME = /^[!#$%&'+.^`|~\w-]+$/;
// Case counts: a browser that asks for PATCH isn't helped by "patch".
const METHOD = /^[A-Z-]+$/;

const DEFAULTS = {
  methods: ["GET", "HEAD", "POST"],
  headers: [],
  expose: [],
  credentials: false,
  maxAge: 600,
};

/**
 * Lets scripts of other origins read answers: the CORS protocol of
 * https://fetch.spec.whatwg.org/#http-cors-protocol.
 *
 * @param {object} options
 * @param {string[] | "*"} options.origins "*" is for what anybody may read
 * @param {string[]} [options.methods] GET, HEAD and POST unless given
 * @param {string[]} [options.headers] fields that requests may have
 * @param {string[]} [options.expose] fields of answers, for scripts to read
 * @param {boolean} [options.credentials] whether cookies may come along
 * @param {number} [options.maxAge] how long to remember this, in seconds
 * @returns {Middleware}
 * @throws {UsageError} ERR_OPTION_INVALID, ERR_OPTION_UNKNOWN
 */
export function cors(options) {
  const settings = readOptions(options);
  const { origins, credentials, expose } = settings;
  return (req, res, next) => {
    const { origin = "", "access-control-request-method": wanted } =
      req.headers;
    // Whoever keeps answers must not give one origin's to another.
    if (origins !== null) res.vary("origin");
    const isAllowed = origin !== "" && (origins?.has(origin) ?? true);
    if (isAllowed) {
      const allowed = origins === null ? "*" : origin;
      res.setHeader(`${ALLOW}-origin`, allowed);
      if (credentials) res.setHeader(`${ALLOW}-credentials`, "true");
    }
    if (req.method === "OPTIONS" && origin !== "" && wanted !== undefined) {
      return answerPreflight(settings, isAllowed, res);
    }
    if (isAllowed && expose !== "") {
      res.setHeader("access-control-expose-headers", expose);
    }
    return next();
  };
}

function answerPreflight({ methods, headers, maxAge }, isAllowed, res) {
  if (isAllowed) {
    res.setHeader(`${ALLOW}-methods`, methods);
    if (headers !== "") res.setHeader(`${ALLOW}-headers`, headers);
    res.setHeader("access-control-max-age", maxAge);
  }
  return res.status(204).end();
}

function readOptions(options) {
  checkOptions("cors", options);
  const { origins, ...more } = options;
  refuseUnknown(more, ["origins", ...Object.keys(DEFAULTS)]);
  const settings = { ...DEFAULTS, ...more };
  const { methods, headers, expose, credentials, maxAge } = settings;
  checkNames("methods", methods, METHOD);
  checkNames("headers", headers, NAME);
  checkNames("expose", expose, NAME);
  checkType("credentials", credentials, "boolean");
  checkWhole("maxAge", maxAge);
  if (origins === "*" && credentials) {
    const expected = "a list of origins where there are credentials";
    const details = ["origins", expected, show(origins)];
    throw new UsageError("ERR_OPTION_INVALID", ...details);
  }
  return {
    origins: origins === "*" ? null : readOrigins("origins", origins),
    credentials,
    maxAge,
    methods: methods.join(", "),
    headers: headers.join(", "),
    expose: expose.join(", "),
  };
}

function checkNames(option, list, form) {
  const isName = (name) => typeof name === "string" && form.test(name);
  if (Array.isArray(list) && list.every(isName)) return;
  const kind = form === METHOD ? "names in capitals" : "names";
  const given = Array.isArray(list)
    ? list.map(show).join(", ")
    : show(list);
  const details = [option, `a list of ${kind}, each by itself`, given];
  throw new UsageError("ERR_OPTION_INVALID", ...details);
}

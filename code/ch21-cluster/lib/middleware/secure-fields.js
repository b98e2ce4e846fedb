import { randomUUID } from "node:crypto";
import { validateHeaderValue } from "node:http";
import { show, UsageError } from "../errors.js";
import { refuseUnknown } from "../options.js";

/** @import { Middleware } from "./chain.js" */

const FIELDS = {
  "strict-transport-security": "max-age=31536000",
  "x-content-type-options": "nosniff",
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "origin-agent-cluster": "?1",
  "x-frame-options": "DENY",
};

const POLICY = {
  "default-src": "'self'",
  "script-src": "'self'",
  "style-src": "'self'",
  "base-uri": "'none'",
  "form-action": "'self'",
  "frame-ancestors": "'none'",
  "object-src": "'none'",
};

// Sources are what is visible in ASCII, and spaces, without ";" and ",".
const DIRECTIVE = /^[\w-]+(?: [ -+\--:<-~]+)?$/;

const KEPT = Symbol("the policy of an answer");

/**
 * Sets fields that tell browsers to be careful.
 *
 * @param {object} [options]
 * @param {Record<string, string | true>} [options.policy] directives of the
 *   Content-Security-Policy: "" takes one away, true needs no sources
 * @param {Record<string, string>} [options.fields] "" takes one away
 * @returns {Middleware}
 * @throws {UsageError} ERR_OPTION_UNKNOWN, ERR_OPTION_INVALID
 */
export function secureFields(options = {}) {
  refuseUnknown(options, ["policy", "fields"]);
  const policy = { ...POLICY, ...inLowerCase(options.policy) };
  const text = formatPolicy(policy);
  const set = readFields(options.fields);
  return (_req, res, next) => {
    for (const [name, value] of set) res.setHeader(name, value);
    res.setHeader("content-security-policy", text);
    res[KEPT] = { policy, nonce: "", text: "" };
    return next();
  };
}

/**
 * Allows the scripts and styles of a page that have this nonce.
 *
 * @returns {string} another one for each answer
 * @throws {UsageError} ERR_NONCE_MISSING
 */
export function nonceOf(res) {
  const kept = res[KEPT];
  if (kept === undefined) throw new UsageError("ERR_NONCE_MISSING");
  // An error's answer begins with the policy as it was.
  if (res.getHeader("content-security-policy") === kept.text) {
    return kept.nonce;
  }
  kept.nonce ||= randomUUID();
  const policy = { ...kept.policy };
  for (const name of ["script-src", "style-src"]) {
    policy[name] = withNonce(policy, name, kept.nonce);
  }
  kept.text = formatPolicy(policy);
  res.setHeader("content-security-policy", kept.text);
  return kept.nonce;
}

// Without a directive of its own default-src counts; 'none' stands alone.
// Beside a nonce browsers don't heed 'unsafe-inline'.
function withNonce(policy, name, nonce) {
  const sources = policy[name] || policy["default-src"];
  const isOpen = /'unsafe-inline'/i.test(sources);
  if (sources === "" || isOpen) return sources;
  const isNone = sources === true || sources === "'none'";
  return `${isNone ? "" : `${sources} `}'nonce-${nonce}'`;
}

function inLowerCase(object = {}) {
  const lower = ([name, value]) => [name.toLowerCase(), value];
  return Object.fromEntries(Object.entries(object).map(lower));
}

function readFields(given) {
  const all = { ...FIELDS, ...inLowerCase(given) };
  const set = Object.entries(all).filter(([, value]) => value !== "");
  for (const [name, value] of set) {
    if (name === "content-security-policy" || !/^[\w-]+$/.test(name)) {
      const details = ["fields", "fields beside the policy", show(name)];
      throw new UsageError("ERR_OPTION_INVALID", ...details);
    }
    validateHeaderValue(name, value);
  }
  return set;
}

function formatPolicy(policy) {
  const set = Object.entries(policy).filter(([, value]) => value !== "");
  return set.map(formatDirective).join("; ");
}

function formatDirective([name, sources]) {
  const text = sources === true ? name : `${name} ${sources}`;
  const isKnown = sources === true || typeof sources === "string";
  if (isKnown && DIRECTIVE.test(text)) return text;
  const details = ["policy", "directives, by name", show(text)];
  throw new UsageError("ERR_OPTION_INVALID", ...details);
}

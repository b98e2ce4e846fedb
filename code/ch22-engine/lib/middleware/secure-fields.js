import { randomUUID } from "node:crypto";
import { show, UsageError } from "../errors.js";
import { validateHeaderValue } from "../http.js";
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

const KEPT = Symbol("the policy of an answer");

/**
 * Sets fields that tell browsers to be careful.
 *
 * @param {object} [options]
 * @param {Record<string, string>} [options.policy] directives of the
 *   Content-Security-Policy: "" takes one away
 * @param {Record<string, string>} [options.fields] "" takes one away
 * @returns {Middleware}
 * @throws {UsageError} ERR_OPTION_UNKNOWN, ERR_OPTION_INVALID
 */
export function secureFields(options = {}) {
  refuseUnknown(options, ["policy", "fields"]);
  const policy = { ...POLICY, ...options.policy };
  const text = formatPolicy(policy);
  const all = { ...FIELDS, ...options.fields };
  const set = Object.entries(all).filter(([, value]) => value !== "");
  for (const [name, value] of set) validateHeaderValue(name, value);
  return (_req, res, next) => {
    for (const [name, value] of set) res.setHeader(name, value);
    res.setHeader("content-security-policy", text);
    res[KEPT] = { policy, nonce: "" };
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
  if (kept.nonce !== "") return kept.nonce;
  kept.nonce = randomUUID();
  const policy = { ...kept.policy };
  for (const name of ["script-src", "style-src"]) {
    policy[name] = withNonce(policy, name, kept.nonce);
  }
  res.setHeader("content-security-policy", formatPolicy(policy));
  return kept.nonce;
}

// Without a directive of its own default-src counts; 'none' stands alone.
function withNonce(policy, name, nonce) {
  const sources = policy[name] || policy["default-src"];
  if (sources === "") return "";
  const others = sources === "'none'" ? "" : `${sources} `;
  return `${others}'nonce-${nonce}'`;
}

function formatPolicy(policy) {
  const directives = Object.entries(policy);
  const set = directives.filter(([, sources]) => sources !== "");
  for (const [name, sources] of set) {
    if (/^[\w-]+ [ -+\--:<-~]+$/.test(`${name} ${sources}`)) continue;
    const details = [name, "sources, parted by spaces", show(sources)];
    throw new UsageError("ERR_OPTION_INVALID", ...details);
  }
  return set.map(([name, sources]) => `${name} ${sources}`).join("; ");
}

import { readFileSync } from "node:fs";
import { parse } from "acorn";

/**
 * Lines with an `assert.ok` that has no words for a reader: when it fails it
 * shows its own source, and that isn't theirs.
 *
 * @param {string} path  of a module
 * @returns {number[]}
 */
export function silentAsserts(path) {
  const options = /** @type {const} */ ({
    ecmaVersion: "latest",
    sourceType: "module",
    locations: true,
  });
  /** @type {number[]} */
  const lines = [];
  look(parse(readFileSync(path, "utf8"), options));
  return lines;

  /** @param {any} node */
  function look(node) {
    if (node === null || typeof node !== "object") return;
    if (isSilent(node)) lines.push(node.loc.start.line);
    for (const child of Object.values(node)) look(child);
  }
}

/** @param {any} node */
function isSilent({ type, callee, arguments: given }) {
  if (type !== "CallExpression" || given.length !== 1) return false;
  const isMember = callee.type === "MemberExpression" && callee.property.name === "ok";
  return (isMember ? callee.object : callee).name === "assert";
}

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Problem } from "../book/problem.js";

/** @import { Comment } from "./markdown.js" */

/** `<!--= FILE.json#/json/pointer -->`, and after the pointer `* 1000` or `/ 1000`. */
const SOURCE = /^<!--=\s*([^#\s]+)#(\S*?)(?:\s+([*/])\s*(\d+(?:\.\d+)?))?\s*-->$/;

/** A number as prose has it: a sign, separators of thousands, decimals, a percent sign. */
const NUMBER =
  /(?<sign>[-−]?)(?<whole>\d{1,3}(?:[,\u00a0\u2009\u202f]\d{3})+|\d+)(?<decimals>\.\d+)?(?<percent>[ \u00a0\u202f]?%)?$/u;

/**
 * Whether a comment says where the number before it comes from.
 *
 * @param {Comment} comment
 */
export function isNumberSource({ text }) {
  return text.startsWith("<!--=");
}

/**
 * Works out what the number before a comment has to be. It keeps its form: as
 * many decimals, and separators where it had them. Before a percent sign
 * stands a hundred times the source's value, unless the source says itself
 * that it holds percent (`busyPercent`).
 *
 * @param {Comment} comment
 * @param {string} markdown
 * @param {string} root  the repository's root
 * @returns {{ start: number, end: number, text: string }} what replaces what
 * @throws {Problem} when there is no number or no source
 */
export function numberFor({ file, line, text, start }, markdown, root) {
  const source = SOURCE.exec(text);
  if (!source) {
    throw new Problem(file, line, "this isn't a number's source that I can read", [
      "expected  <!--= benchmarks/results/MACHINE/FILE.json#/json/pointer -->",
      `got       ${text}`,
    ]);
  }
  const number = NUMBER.exec(markdown.slice(0, start));
  if (!number?.groups) {
    throw new Problem(file, line, "no number stands directly before this comment", [text]);
  }
  const [, path, pointer, operator, operand] = source;
  const value = valueAt({ file, line }, root, path, pointer);
  const factor = Number(operand ?? 1);
  const scaled = operator === "/" ? value / factor : value * factor;
  const { percent = "" } = number.groups;
  const isFraction = percent !== "" && !/percent/i.test(pointer.slice(pointer.lastIndexOf("/")));
  return {
    start: start - number[0].length,
    end: start,
    text: format(isFraction ? scaled * 100 : scaled, number.groups),
  };
}

/**
 * @param {number} value
 * @param {{ [key: string]: string | undefined }} form  of the number that
 *   stands there
 */
function format(value, { sign = "", whole = "", decimals = "", percent = "" }) {
  const fixed = Math.abs(value).toFixed(Math.max(0, decimals.length - 1));
  const [digits, rest] = fixed.split(".");
  const separator = /[^\d]/.exec(whole)?.[0] ?? (whole.length < 4 ? "," : "");
  const grouped = digits.replace(/\B(?=(\d{3})+$)/g, separator);
  const isNegative = value < 0 && Number(fixed) !== 0;
  const minus = isNegative ? sign || "−" : "";
  return minus + grouped + (rest === undefined ? "" : `.${rest}`) + percent;
}

/**
 * @param {{ file: string, line: number }} place
 * @param {string} root
 * @param {string} path
 * @param {string} pointer
 * @returns {number}
 * @throws {Problem}
 */
function valueAt({ file, line }, root, path, pointer) {
  if (!existsSync(join(root, path))) throw new Problem(file, line, `there is no ${path}`);
  let value = JSON.parse(readFileSync(join(root, path), "utf8"));
  const passed = [];
  for (const escaped of pointer.split("/").slice(1)) {
    const key = escaped.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) {
      const keys = typeof value === "object" && value !== null ? Object.keys(value) : [];
      throw new Problem(file, line, `${path} has nothing at ${pointer}`, [
        `at /${passed.join("/")} there is ${keys.length > 0 ? keys.join(", ") : typeof value}`,
      ]);
    }
    value = value[key];
    passed.push(escaped);
  }
  if (typeof value !== "number") {
    throw new Problem(file, line, `${path}#${pointer} is no number but ${JSON.stringify(value)}`);
  }
  return value;
}

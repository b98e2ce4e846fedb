import { show, UsageError } from "./errors.js";

export function checkOptions(owner, options) {
  const isObject = typeof options === "object" && options !== null;
  if (isObject && !Array.isArray(options)) return;
  throw new UsageError("ERR_OPTIONS_INVALID", owner, show(options));
}

// Refuses options that nobody would read.
export function refuseUnknown(options, names) {
  for (const option of Object.keys(options)) {
    if (names.includes(option)) continue;
    const meant = similarTo(option, names);
    throw new UsageError("ERR_OPTION_UNKNOWN", option, meant, names);
  }
}

// Refuses an option that looks like one of ours with a slip in it. Others
// are somebody else's: node:http has more of them with every version.
export function refuseMisspelled(options, names) {
  for (const option of Object.keys(options)) {
    const meant = similarTo(option, names);
    if (meant === undefined || meant === option) continue;
    throw new UsageError("ERR_OPTION_UNKNOWN", option, meant);
  }
}

export function checkType(option, value, type) {
  if (typeof value === type) return;
  const details = [option, `a ${type}`, show(value)];
  throw new UsageError("ERR_OPTION_INVALID", ...details);
}

export function checkWhole(option, value) {
  if (Number.isSafeInteger(value) && value >= 0) return;
  const details = [option, "a whole number", show(value)];
  throw new UsageError("ERR_OPTION_INVALID", ...details);
}

export function checkLimit(option, value) {
  if (value === Infinity || (Number.isInteger(value) && value >= 0)) return;
  const details = [option, "a whole number or Infinity", show(value)];
  throw new UsageError("ERR_OPTION_INVALID", ...details);
}

// setTimeout takes no more.
const MOST_TIME = 2 ** 31 - 1;

export function checkTime(option, value) {
  if (value === Infinity) return;
  if (Number.isInteger(value) && value > 0 && value <= MOST_TIME) return;
  const expected = `milliseconds from 1 to ${MOST_TIME}, or Infinity`;
  throw new UsageError("ERR_OPTION_INVALID", option, expected, show(value));
}

function similarTo(word, words) {
  return words.find((other) => lettersApart(word, other) <= 2);
}

function lettersApart(a, b) {
  if (a === b) return 0;
  if (a[0] === b[0]) return lettersApart(a.slice(1), b.slice(1));
  if (a.at(-1) !== b.at(-1)) return Math.max(a.length, b.length);
  return lettersApart(a.slice(0, -1), b.slice(0, -1));
}

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

// Two slips at most, whether letters are missing, too many or wrong.
function similarTo(word, words) {
  return words.find((other) => distance(word, other) <= 2);
}

// How many letters to insert, delete or replace until `a` is `b`.
function distance(a, b) {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 0; i < a.length; i += 1) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j += 1) {
      const replaced = row[j] + (a[i] === b[j] ? 0 : 1);
      next.push(Math.min(replaced, row[j + 1] + 1, next[j] + 1));
    }
    row = next;
  }
  return row[b.length];
}

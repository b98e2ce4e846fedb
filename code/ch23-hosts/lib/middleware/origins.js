import { show, UsageError } from "../errors.js";

/**
 * @param {string} option
 * @param {string[]} list each as browsers write it: "https://a.example"
 * @throws {UsageError} ERR_OPTION_INVALID
 */
export function readOrigins(option, list) {
  const isGood = Array.isArray(list) && list.every(isOrigin);
  if (isGood) return new Set(list);
  const expected =
    "a list of origins, as https://a.example without a slash";
  const given = Array.isArray(list)
    ? list.map(show).join(", ")
    : show(list);
  throw new UsageError("ERR_OPTION_INVALID", option, expected, given);
}

// "null" isn't one: it is what any page can be made to call itself.
function isOrigin(text) {
  return URL.canParse(text) && new URL(text).origin === text;
}

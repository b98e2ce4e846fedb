import { rangesOf } from "./negotiate.js";

/**
 * Picks the coding that a client wants most (RFC 9110, section 12.5.3).
 *
 * @param {string | undefined} field Accept-Encoding
 * @param {string[]} codings what there is, the favourite first
 * @returns {string} "identity" if the answer stays as it is
 */
export function preferredCoding(field, codings) {
  const ranges = rangesOf(field ?? "identity");
  const qualityOf = (coding) => {
    const own = ranges.find(({ name }) => name === coding);
    const any = ranges.find(({ name }) => name === "*");
    return (own ?? any)?.quality ?? 0;
  };
  const known = codings.filter((coding) => qualityOf(coding) > 0);
  return [...known, "identity"].reduce((best, coding) =>
    qualityOf(coding) > qualityOf(best) ? coding : best,
  );
}

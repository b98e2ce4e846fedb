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
  let best = "identity";
  let bestQuality = 0;
  for (const coding of codings) {
    const quality = qualityOf(coding, ranges);
    if (quality <= bestQuality) continue;
    best = coding;
    bestQuality = quality;
  }
  const isSecond = qualityOf("identity", ranges) > bestQuality;
  return isSecond ? "identity" : best;
}

function qualityOf(coding, ranges) {
  const own = ranges.find(({ name }) => name === coding);
  const any = ranges.find(({ name }) => name === "*");
  return (own ?? any)?.quality ?? 0;
}

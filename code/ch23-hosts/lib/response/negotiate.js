/**
 * Picks the type that a client wants most (RFC 9110, section 12.5.1).
 *
 * @param {string | undefined} accept the field; without it all are welcome
 * @param {string[]} types what there is, the favourite first
 * @returns {string | null} null if it wants none of them
 */
export function preferredType(accept, types) {
  const ranges = rangesOf(accept ?? "*/*");
  /** @type {string | null} */
  let best = null;
  let bestQuality = 0;
  for (const type of types) {
    const quality = qualityOf(type, ranges);
    if (quality <= bestQuality) continue;
    best = type;
    bestQuality = quality;
  }
  return best;
}

// The range that says most about a type decides.
function qualityOf(type, ranges) {
  const [name, ...parameters] = partsOf(type);
  const family = `${name.split("/")[0]}/*`;
  let quality = 0;
  let precision = -1;
  for (const range of ranges) {
    const place = ["*/*", family, name].indexOf(range.name);
    const fits = range.parameters.every((one) => parameters.includes(one));
    if (place === -1 || !fits) continue;
    const rangePrecision = place * 1000 + range.parameters.length;
    if (rangePrecision <= precision) continue;
    precision = rangePrecision;
    quality = range.quality;
  }
  return quality;
}

const QUALITY = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

// A range whose q can't be read isn't one.
export function rangesOf(accept) {
  const ranges = [];
  for (const member of accept.split(",")) {
    const [name, ...parameters] = partsOf(member);
    const at = parameters.findIndex((one) => one.startsWith("q="));
    const q = at === -1 ? "q=1" : parameters[at];
    const quality = QUALITY.exec(q)?.[1];
    if (quality === undefined) continue;
    if (at !== -1) parameters.length = at;
    ranges.push({ name, parameters, quality: Number(quality) });
  }
  return ranges;
}

function partsOf(text) {
  return text.split(";").map((part) => part.trim().toLowerCase());
}

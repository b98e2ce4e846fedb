/**
 * Bytes that are UTF-8, and bytes that aren't (RFC 3629, section 4): those
 * of Markus Kuhn's test for decoders, in the groups and in the order of the
 * Autobahn test suite, where they are the cases 6.5.1 to 6.23.7.
 *
 * @typedef {{ name: string, bytes: Buffer, isValid: boolean }} Sequence
 */

/** @param {number[]} values */
const hexOf = (values) => Buffer.from(values).toString("hex");

/** @param {number} first @param {number} end behind the last */
const range = (first, end) =>
  Array.from({ length: end - first }, (_, i) => first + i);

/** κόσμε, whose second letter has three bytes. */
const GREEK = "cebae1bdb9cf83cebcceb5";

/** @param {string} middle */
const inHello = (middle) => `68656c6c6f${middle}776f726c64`;

/** Where a code point ends in GREEK, in bytes. */
const ENDS = [2, 5, 7, 9, 11];
const PREFIXES = range(1, 12).map((length) => GREEK.slice(0, 2 * length));

const SURROGATES = {
  high: ["eda080", "edadbf", "edae80", "edafbf"],
  low: ["edb080", "edbe80", "edbfbf"],
};

const WITHOUT_LAST = [
  ..."c0 e080 f08080 f8808080 fc80808080".split(" "),
  ..."df efbf f7bfbf fbbfbfbf fdbfbfbfbf".split(" "),
];

/** U+1FFFE, U+1FFFF, and the last two of each plane up to U+10FFFF. */
const LAST_OF_PLANES = ["f0", "f1", "f2", "f3", "f4"].flatMap((first) =>
  ["8f", "9f", "af", "bf"]
    .filter((second) => first !== "f0" || second !== "8f")
    .filter((second) => first !== "f4" || second === "8f")
    .flatMap((second) =>
      ["be", "bf"].map((last) => `${first}${second}bf${last}`),
    ),
);

/**
 * @typedef {string[]} Hex
 * @typedef {{ what: string, good?: Hex, bad?: Hex, all?: Hex }} Group in
 *   `all`, a sequence is valid if it is also in `good`
 */

/** The first is 6.5. @type {Group[]} */
const GROUPS = [
  {
    what: "a code point of each length",
    good: [...["24", "c2a2", "e282ac", "f0a4ada2"].map(inHello), GREEK],
  },
  {
    what: "a text that is cut",
    all: PREFIXES,
    good: ENDS.map((length) => GREEK.slice(0, 2 * length)),
  },
  {
    what: "the first of a length",
    good: ["00", "c280", "e0a080", "f0908080"],
  },
  {
    what: "the first of five and of six bytes",
    bad: ["f888808080", "fc8480808080"],
  },
  {
    what: "the last of a length",
    good: ["7f", "dfbf", "efbfbf", "f48fbfbf"],
  },
  {
    what: "the last of four, of five and of six bytes",
    bad: ["f7bfbfbf", "fbbfbfbfbf", "fdbfbfbfbfbf"],
  },
  {
    what: "other borders",
    all: ["ed9fbf", "ee8080", "efbfbd", "f48fbfbf", "f4908080"],
    good: ["ed9fbf", "ee8080", "efbfbd", "f48fbfbf"],
  },
  {
    what: "continuation bytes that continue nothing",
    bad: [
      ..."80 bf 80bf 80bf80 80bf80bf 80bf80bf80 80bf80bf80bf".split(" "),
      hexOf(range(0x80, 0xbf)),
    ],
  },
  {
    what: "first bytes, each before a space",
    bad: [
      range(0xc0, 0xdf),
      range(0xe0, 0xef),
      range(0xf0, 0xf7),
      range(0xf8, 0xfb),
      [0xfc],
    ].map((list) => hexOf(list.flatMap((each) => [each, 0x20]))),
  },
  { what: "the last byte is missing", bad: WITHOUT_LAST },
  { what: "all of these in a row", bad: [WITHOUT_LAST.join("")] },
  { what: "bytes that never occur", bad: ["fe", "ff", "fefeffff"] },
  {
    what: "a slash that is longer than it need be",
    bad: ["c0af", "e080af", "f08080af", "f8808080af", "fc80808080af"],
  },
  {
    what: "the last that is longer than it need be",
    bad: ["c1bf", "e09fbf", "f08fbfbf", "f887bfbfbf", "fc83bfbfbfbf"],
  },
  {
    what: "NUL, longer than it need be",
    bad: ["c080", "e08080", "f0808080", "f880808080", "fc8080808080"],
  },
  {
    what: "half of a pair of UTF-16",
    bad: [...SURROGATES.high, ...SURROGATES.low],
  },
  {
    what: "a pair of UTF-16",
    bad: SURROGATES.high.flatMap((high) =>
      ["edb080", "edbfbf"].map((low) => high + low),
    ),
  },
  {
    what: "no character, and valid",
    good: ["efbfbe", "efbfbf", ...LAST_OF_PLANES],
  },
  {
    what: "specials",
    good: range(0xb9, 0xc0).map((last) => `efbf${hexOf([last])}`),
  },
];

/** @type {Sequence[]} */
export const UTF8_SEQUENCES = GROUPS.flatMap(
  ({ what, good, bad, all }, i) =>
    (all ?? good ?? bad ?? []).map((hex, j) => ({
      name: `6.${5 + i}.${1 + j} ${what}: ${hex.slice(0, 40)}`,
      bytes: Buffer.from(hex, "hex"),
      isValid: good?.includes(hex) ?? false,
    })),
);

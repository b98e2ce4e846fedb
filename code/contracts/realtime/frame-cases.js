/**
 * What a client sends to a server that sends every message back, and what
 * comes. A case with a number is that of the Autobahn test suite. Its 1 to
 * 7 and 10 are all here but 7.13.2, whose code has no two bytes; its 9 is
 * about speed. A case without a number is ours. The sections are those of
 * RFC 6455. What isn't closed by a case, the runner closes, and nothing else
 * may come before the answer to that.
 *
 * @typedef {object} FrameCase
 * @property {string} name
 * @property {Buffer[]} send each piece in a write of its own
 * @property {number} [size] all of it in pieces of so many bytes instead
 * @property {Expected[]} expect
 *
 * @typedef {[opcode: number, payload: string | Buffer]} Expected of a Close
 *   only the first two bytes are compared
 *
 * @typedef {object} FrameGroup
 * @property {string} name
 * @property {string} section
 * @property {FrameCase[]} cases
 */
import { close, closePayload, frame } from "./frames.js";
import { UTF8_SEQUENCES } from "./utf8-sequences.js";

const [MORE, TEXT, BINARY, CLOSE, PING, PONG] = [0, 1, 2, 8, 9, 10];

/** @param {number} code @returns {Expected} */
const closed = (code) => [CLOSE, closePayload(code)];
/** @param {string | Buffer} payload @returns {Expected} */
const text = (payload) => [TEXT, payload];
/** @param {string | Buffer} payload @returns {Expected} */
const binary = (payload) => [BINARY, payload];
/** @param {string | Buffer} payload @returns {Expected} */
const pong = (payload) => [PONG, payload];

/**
 * @param {string} name
 * @param {Buffer[]} send
 * @param {Expected[]} expect
 * @param {number} [size]
 * @returns {FrameCase}
 */
const when = (name, send, expect, size) => ({ name, send, expect, size });

/**
 * The same frames in one write, each in a write of its own, and byte by
 * byte: three cases of Autobahn's.
 *
 * @param {string[]} numbers
 * @param {string} what
 * @param {Buffer[]} frames
 * @param {Expected[]} expect
 */
const inThreeWays = ([one, two, three], what, frames, expect) => [
  when(`${one} ${what}, in one write`, [Buffer.concat(frames)], expect),
  when(`${two} ${what}, frame by frame`, frames, expect),
  when(`${three} ${what}, byte by byte`, frames, expect, 1),
];

/**
 * A name with a number of Autobahn's in front, if it has one.
 *
 * @param {string | undefined} number
 * @param {string} name
 */
const numbered = (number, name) =>
  number === undefined ? name : `${number} ${name}`;

/** @param {number} length */
const bytes = (length) =>
  Buffer.from(Array.from({ length }, (_, i) => i * 7));
const notLast = { isLast: false };

/**
 * A text in fragments of `size` bytes.
 *
 * @param {string | Uint8Array} content
 * @param {number} size
 * @param {Buffer[]} [between] what comes after each fragment but the last
 */
function fragments(content, size, between = []) {
  const all = Buffer.from(content);
  const list = [];
  for (let at = 0; at < all.length; at += size) {
    const isLast = at + size >= all.length;
    const opcode = at === 0 ? TEXT : MORE;
    list.push(frame(opcode, all.subarray(at, at + size), { isLast }));
    if (!isLast) list.push(...between);
  }
  return list;
}

const LENGTHS = [0, 125, 126, 127, 128, 65535, 65536];

/**
 * A message of so many bytes, as a text and as bytes.
 *
 * @param {string} number of Autobahn's, behind the kind
 * @param {number} length
 * @param {number} [size]
 */
function ofLength(number, length, size) {
  const stars = "*".repeat(length);
  const content = bytes(length);
  const kind = (/** @type {number} */ each) =>
    number === "" ? "" : `1.${each}.${number} `;
  return [
    when(
      `${kind(1)}a text of ${length} bytes`,
      [frame(TEXT, stars)],
      [text(stars)],
      size,
    ),
    when(
      `${kind(2)}${length} bytes`,
      [frame(BINARY, content)],
      [binary(content)],
      size,
    ),
  ];
}

/** @type {FrameCase[]} */
const messages = [
  ...LENGTHS.flatMap((length, i) => ofLength(`${i + 1}`, length)),
  ...ofLength("8", 65536, 997),
  ...[1, 262144].flatMap((length) => ofLength("", length)),
  ...[1, 2, 3, 5, 13, 997, 1000].map((size) =>
    when(
      `3000 bytes of text, ${size} at a time`,
      [frame(TEXT, "ü".repeat(1500))],
      [text("ü".repeat(1500))],
      size,
    ),
  ),
  ...[127, 128, 129, 130, 131, 255, 1021].map((length) =>
    when(
      `a mask on ${length} bytes, in pieces that begin anywhere`,
      [frame(BINARY, bytes(length)), frame(BINARY, bytes(length + 1))],
      [binary(bytes(length)), binary(bytes(length + 1))],
      150,
    ),
  ),
  when(
    "a thousand messages in one write",
    [
      Buffer.concat(
        Array.from({ length: 1000 }, () => frame(TEXT, "hello")),
      ),
    ],
    Array.from({ length: 1000 }, () => text("hello")),
  ),
];

const NOT_TEXT = Buffer.from("00fffefdfcfb00ff", "hex");

/** @type {FrameCase[]} */
const pings = [
  when("2.1 a ping without payload", [frame(PING)], [pong("")]),
  when("2.2 a ping with one", [frame(PING, "hello")], [pong("hello")]),
  when(
    "2.3 a ping with bytes that aren't UTF-8",
    [frame(PING, NOT_TEXT)],
    [pong(NOT_TEXT)],
  ),
  when("2.4 125 bytes", [frame(PING, bytes(125))], [pong(bytes(125))]),
  when(
    "2.5 126 bytes are too many",
    [frame(PING, bytes(126))],
    [closed(1002)],
  ),
  when(
    "2.6 125 bytes, one by one",
    [frame(PING, bytes(125))],
    [pong(bytes(125))],
    1,
  ),
  when("2.7 a pong without a ping", [frame(PONG)], []),
  when("2.8 a pong with payload", [frame(PONG, "hello")], []),
  when(
    "2.9 a pong, then a ping",
    [frame(PONG, "a"), frame(PING, "b")],
    [pong("b")],
  ),
  ...[undefined, 1].map((size, i) =>
    when(
      `2.${10 + i} ten pings${size ? ", byte by byte" : ""}`,
      Array.from({ length: 10 }, (_, n) => frame(PING, `payload-${n}`)),
      Array.from({ length: 10 }, (_, n) => pong(`payload-${n}`)),
      size,
    ),
  ),
];

const hello = frame(TEXT, "hello");

/** @param {number} bits */
const withReserved = (bits) => [
  hello,
  frame(TEXT, "hello", { reserved: bits }),
  frame(PING),
];

/**
 * The five opcodes of a kind that mean nothing yet.
 *
 * @param {number} kind 1, or 2 for those of control frames
 * @param {number} first
 */
function unknownOpcodes(kind, first) {
  const behindText = (/** @type {number} */ nth, content = "") => [
    hello,
    frame(first + nth, content),
    frame(PING),
  ];
  /** @type {Expected[]} */
  const expect = [text("hello"), closed(1002)];
  const name = (/** @type {number} */ nth) =>
    `4.${kind}.${nth + 1} opcode ${first + nth}`;
  return [
    when(name(0), [frame(first)], [closed(1002)]),
    when(
      `${name(1)} with payload`,
      [frame(first + 1, "hello")],
      [closed(1002)],
    ),
    when(
      `${name(2)} behind a text, in one write`,
      [Buffer.concat(behindText(2))],
      expect,
    ),
    when(
      `${name(3)} with payload behind a text`,
      behindText(3, "hello"),
      expect,
    ),
    when(
      `${name(4)} with payload behind a text, byte by byte`,
      behindText(4, "hello"),
      expect,
      1,
    ),
  ];
}

/** @type {FrameCase[]} */
const reserved = [
  when(
    "3.1 the third bit",
    [frame(TEXT, "hello", { reserved: 1 })],
    [closed(1002)],
  ),
  when(
    "3.2 a good text, one with the second bit, a ping, in one write",
    [Buffer.concat(withReserved(2))],
    [text("hello"), closed(1002)],
  ),
  when("3.3 the same with two bits, frame by frame", withReserved(3), [
    text("hello"),
    closed(1002),
  ]),
  when(
    "3.4 the same with the first bit, byte by byte",
    withReserved(4),
    [text("hello"), closed(1002)],
    1,
  ),
  when(
    "3.5 the first and third bit",
    [frame(BINARY, bytes(8), { reserved: 5 })],
    [closed(1002)],
  ),
  when(
    "3.6 in a ping",
    [frame(PING, "hello", { reserved: 6 })],
    [closed(1002)],
  ),
  when(
    "3.7 in a Close",
    [frame(CLOSE, closePayload(1000), { reserved: 7 })],
    [closed(1002)],
  ),
  when(
    "the first bit alone, which would say compressed",
    [frame(TEXT, "x", { reserved: 4 })],
    [closed(1002)],
  ),
  ...unknownOpcodes(1, 3),
  ...unknownOpcodes(2, 11),
  ...[3, 4, 5, 6, 7, 11, 12, 13, 14, 15].map((opcode) =>
    when(
      `opcode ${opcode} with payload behind a text, in one write`,
      [Buffer.concat([hello, frame(opcode, "hello"), frame(PING)])],
      [text("hello"), closed(1002)],
    ),
  ),
];

const notMinimal = Buffer.from([0, 5]);
const topBit = Buffer.from([0x80, 0, 0, 0, 0, 0, 0, 5]);
const inEight = Buffer.from([0, 0, 0, 0, 0, 0, 0, 5]);

/** @type {FrameCase[]} */
const heads = [
  when(
    "no mask",
    [frame(TEXT, "hello", { isMasked: false })],
    [closed(1002)],
  ),
  when(
    "no mask on a ping",
    [frame(PING, "", { isMasked: false })],
    [closed(1002)],
  ),
  when(
    "a short length in two bytes",
    [frame(TEXT, "hello", { shortLength: 126, length: notMinimal })],
    [closed(1002)],
  ),
  when(
    "a short length in eight",
    [frame(TEXT, "hello", { shortLength: 127, length: inEight })],
    [closed(1002)],
  ),
  when(
    "the top bit of a length",
    [frame(TEXT, "hello", { shortLength: 127, length: topBit })],
    [closed(1002)],
  ),
  when(
    "a ping with a longer length",
    [frame(PING, "hello", { shortLength: 126, length: notMinimal })],
    [closed(1002)],
  ),
];

const ping = frame(PING, "ping");
const [a, b, c, d, e] = fragments("abcde", 1);
const fiveFragments = [a, b, ping, c, d, ping, e];

/** @type {FrameCase[]} */
const fragmented = [
  when(
    "5.1 a ping in two",
    [frame(PING, "a", notLast), frame(MORE, "b")],
    [closed(1002)],
  ),
  when(
    "5.2 a pong in two",
    [frame(PONG, "a", notLast), frame(MORE, "b")],
    [closed(1002)],
  ),
  ...inThreeWays(
    ["5.3", "5.4", "5.5"],
    "a text in two",
    fragments("fragment1fragment2", 9),
    [text("fragment1fragment2")],
  ),
  ...inThreeWays(
    ["5.6", "5.7", "5.8"],
    "a ping in between",
    fragments("fragment1fragment2", 9, [ping]),
    [pong("ping"), text("fragment1fragment2")],
  ),
  ...inThreeWays(
    ["5.9", "5.10", "5.11"],
    "nothing to continue",
    [frame(MORE, "more"), hello],
    [closed(1002)],
  ),
  ...inThreeWays(
    ["5.12", "5.13", "5.14"],
    "nothing to continue, and more to come",
    [frame(MORE, "more", notLast), hello],
    [closed(1002)],
  ),
  when(
    "5.15 nothing to continue any more",
    [
      Buffer.concat([
        ...fragments("ab", 1),
        frame(MORE, "c", notLast),
        frame(TEXT, "d"),
      ]),
    ],
    [text("ab"), closed(1002)],
  ),
  ...[notLast, {}].map((which, i) => {
    const three = [
      frame(MORE, "a", which),
      frame(TEXT, "b", notLast),
      frame(MORE, "c"),
    ];
    const what = `a ${i === 0 ? "continuation" : "last fragment"}`;
    return when(
      `5.${16 + i} ${what} before a text in two, and again`,
      [...three, ...three],
      [closed(1002)],
    );
  }),
  when(
    "5.18 two texts at once",
    [Buffer.concat([frame(TEXT, "a", notLast), frame(TEXT, "b")])],
    [closed(1002)],
  ),
  when(
    "bytes in the middle of a text",
    [frame(TEXT, "a", notLast), frame(BINARY, "b")],
    [closed(1002)],
  ),
  ...[[Buffer.concat(fiveFragments)], fiveFragments].map((send, i) =>
    when(
      `5.${19 + i} five fragments, with pings in between${i === 0 ? "" : ", frame by frame"}`,
      send,
      [pong("ping"), pong("ping"), text("abcde")],
    ),
  ),
  when(
    "a ping behind each of five fragments",
    fragments("abcde", 1, [ping]),
    [...Array.from({ length: 4 }, () => pong("ping")), text("abcde")],
  ),
  when(
    "6.1.2 three fragments without a byte",
    [frame(TEXT, "", notLast), frame(MORE, "", notLast), frame(MORE)],
    [text("")],
  ),
  when(
    "6.1.3 only the middle one has bytes",
    [frame(TEXT, "", notLast), frame(MORE, "middle", notLast), frame(MORE)],
    [text("middle")],
  ),
  when(
    "bytes in three",
    [
      frame(BINARY, bytes(3), notLast),
      frame(MORE, bytes(2), notLast),
      frame(MORE, bytes(1)),
    ],
    [binary(Buffer.concat([bytes(3), bytes(2), bytes(1)]))],
  ),
  when(
    "10.1 64 KiB in fragments of 1300 bytes",
    fragments("*".repeat(65536), 1300),
    [text("*".repeat(65536))],
  ),
];

const GREEK = "κόσμε";
const MIXED = `café, µ@! ${GREEK} 🎉`;

/** Which case of Autobahn's has a text in one frame. */
const WHOLE = new Map([[MIXED, "6.2.1"]]);
/** And which in frames of a byte. */
const IN_BYTES = new Map([
  [MIXED, "6.2.3"],
  [GREEK, "6.2.4"],
]);

const GOOD_TEXTS = [
  GREEK,
  MIXED,
  "\0",
  "\u{7f}",
  "\u{80}",
  "\u{7ff}",
  "\u{800}",
  "\u{d7ff}",
  "\u{e000}",
  "\u{fffd}",
  "\u{ffff}",
  "\u{10000}",
  "\u{10ffff}",
  "\u{fffe}",
  "\u{1fffe}",
  "\u{feff}a",
];

// Those of 6.4 and others. All of 6.5 to 6.23 are in utf8-sequences.js.
const BAD_TEXTS = [
  "cebae1bdb9cf83cebcceb5eda080656469746564",
  "c020",
  "e0a0",
  "f09f98",
  "f5808080",
  "e28028a1",
].map((hex) => Buffer.from(hex, "hex"));

// 6.4: eleven good bytes, and four that are bad from the second on.
const GOOD_START = BAD_TEXTS[0].subarray(0, 11);
const BAD_END = Buffer.from("f4908080", "hex");
const BOTH = Buffer.concat([GOOD_START, BAD_END]);

/**
 * The first bytes of a frame whose other bytes don't come.
 *
 * @param {Buffer} content
 */
const begun = (content) =>
  frame(TEXT, Buffer.concat([content, Buffer.alloc(10)])).subarray(
    0,
    6 + content.length,
  );

/** @type {FrameCase[]} */
const utf8 = [
  ...UTF8_SEQUENCES.flatMap(({ name, bytes, isValid }) => {
    const expect = [isValid ? text(bytes) : closed(1007)];
    return [
      when(name, [frame(TEXT, bytes)], expect),
      when(
        `${name}, each byte in a fragment`,
        [Buffer.concat(fragments(bytes, 1))],
        expect,
      ),
    ];
  }),
  when("6.1.1 a text without a byte", [frame(TEXT)], [text("")]),
  when(
    "6.2.2 two fragments, parted where a code point ends",
    fragments(MIXED, Buffer.byteLength("café, µ@! ")),
    [text(MIXED)],
  ),
  ...GOOD_TEXTS.flatMap((good) => [
    when(
      numbered(WHOLE.get(good), JSON.stringify(good)),
      [frame(TEXT, good)],
      [text(good)],
    ),
    when(
      numbered(
        IN_BYTES.get(good),
        `${JSON.stringify(good)} in fragments of a byte`,
      ),
      fragments(good, 1),
      [text(good)],
    ),
    when(
      `${JSON.stringify(good)} in pieces of a byte`,
      [frame(TEXT, good)],
      [text(good)],
      1,
    ),
  ]),
  ...BAD_TEXTS.flatMap((bad, i) => [
    when(
      numbered(i === 0 ? "6.3.1" : undefined, bad.toString("hex")),
      [frame(TEXT, bad)],
      [closed(1007)],
    ),
    when(
      numbered(
        i === 0 ? "6.3.2" : undefined,
        `${bad.toString("hex")} in fragments of a byte`,
      ),
      fragments(bad, 1),
      [closed(1007)],
    ),
    when(
      `${bad.toString("hex")} in pieces of a byte`,
      [frame(TEXT, bad)],
      [closed(1007)],
      1,
    ),
  ]),
  ...[
    "ceba80",
    "eda0",
    "f490",
    "e080",
    "f08f",
    "c0",
    "f5",
    "ff",
    "80",
  ].flatMap((hex) => {
    const bad = Buffer.from(hex, "hex");
    return [
      when(
        `${hex} is told before the text has ended`,
        [frame(TEXT, bad, notLast)],
        [closed(1007)],
      ),
      when(
        `${hex} is told before the frame has ended`,
        [begun(bad)],
        [closed(1007)],
      ),
    ];
  }),
  // What comes last makes the text a bad one, and the end doesn't come.
  when(
    "6.4.1 a second fragment that is bad",
    [frame(TEXT, GOOD_START, notLast), frame(MORE, BAD_END, notLast)],
    [closed(1007)],
  ),
  when(
    "6.4.2 a second fragment whose one byte makes it bad",
    [
      frame(TEXT, BOTH.subarray(0, 12), notLast),
      frame(MORE, BOTH.subarray(12, 13), notLast),
    ],
    [closed(1007)],
  ),
  when("6.4.3 the same within a frame", [begun(BOTH)], [closed(1007)]),
  when(
    "6.4.4 the same within a frame, byte by byte up to that byte",
    [begun(BOTH.subarray(0, 13))],
    [closed(1007)],
    1,
  ),
  when(
    "bytes needn't be UTF-8",
    [frame(BINARY, BAD_TEXTS[0])],
    [binary(BAD_TEXTS[0])],
  ),
  when(
    "a code point begun in one text isn't ended by the next",
    [
      frame(TEXT, Buffer.from([0xc3]), notLast),
      frame(MORE, ""),
      frame(TEXT, Buffer.from([0xbc])),
    ],
    [closed(1007)],
  ),
];

// 7.7.1 to 7.7.13.
const GOOD_CODES = [
  1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 3999, 4000,
  4999,
];
// 7.9.1 to 7.9.9.
const BAD_CODES = [0, 999, 1004, 1005, 1006, 1016, 1100, 2000, 2999];
const LATER_CODES = [1012, 1013, 1014];
const MORE_BAD_CODES = [1, 1015, 65535];

/** @type {FrameCase[]} */
const closing = [
  when(
    "7.1.1 behind a message",
    [hello, close(1000)],
    [text("hello"), closed(1000)],
  ),
  when("7.1.2 twice", [close(1000), close(1000)], [closed(1000)]),
  when("7.1.3 a ping behind it", [close(1000), ping], [closed(1000)]),
  when("7.1.4 a text behind it", [close(1000), hello], [closed(1000)]),
  when(
    "7.1.5 in the middle of a text",
    [frame(TEXT, "a", notLast), close(1000), frame(MORE, "b")],
    [closed(1000)],
  ),
  when(
    "what is no frame behind it",
    [Buffer.concat([close(1000), bytes(99)])],
    [closed(1000)],
  ),
  when("7.3.1 without a code", [close()], [[CLOSE, ""]]),
  when("7.3.2 with one byte", [frame(CLOSE, "a")], [closed(1002)]),
  when("7.3.3 with a code", [close(1000)], [closed(1000)]),
  when("7.3.4 with a reason", [close(1000, "bye")], [closed(1000)]),
  when(
    "7.3.5 with a reason of 123 bytes",
    [close(1000, "*".repeat(123))],
    [closed(1000)],
  ),
  when(
    "7.3.6 with a reason of 124 bytes",
    [close(1000, "*".repeat(124))],
    [closed(1002)],
  ),
  when(
    "7.5.1 with a reason that isn't UTF-8",
    [close(1000, BAD_TEXTS[0])],
    [closed(1007)],
  ),
  when("byte by byte", [close(1000, "bye")], [closed(1000)], 1),
  ...GOOD_CODES.map((code, i) =>
    when(`7.7.${1 + i} code ${code}`, [close(code)], [closed(code)]),
  ),
  ...BAD_CODES.map((code, i) =>
    when(`7.9.${1 + i} code ${code}`, [close(code)], [closed(1002)]),
  ),
  when("7.13.1 code 5000", [close(5000)], [closed(1002)]),
  ...LATER_CODES.map((code) =>
    when(`code ${code}`, [close(code)], [closed(code)]),
  ),
  ...MORE_BAD_CODES.map((code) =>
    when(`code ${code}`, [close(code)], [closed(1002)]),
  ),
  when(
    "7.1.6 behind a message of 256 KiB, and a ping behind it",
    [frame(TEXT, "*".repeat(262144)), close(1000), ping],
    [text("*".repeat(262144)), closed(1000)],
  ),
];

/** What the server under test takes: more than any of the cases above. */
export const LIMITS = { messageBytes: 300_000, fragments: 200 };

/** The head of a frame of so many bytes. @param {bigint} length */
function announce(length) {
  const more = Buffer.alloc(8);
  more.writeBigUInt64BE(length);
  return frame(BINARY, "", { shortLength: 127, length: more });
}

/** @type {FrameCase[]} */
const limits = [
  when(
    "as much as may be",
    [frame(BINARY, bytes(300_000))],
    [binary(bytes(300_000))],
  ),
  when("a byte more", [frame(BINARY, bytes(300_001))], [closed(1009)]),
  when(
    "more, told by the head alone",
    [announce(300_001n)],
    [closed(1009)],
  ),
  when(
    "as much as a length can say",
    [announce(2n ** 63n - 1n)],
    [closed(1009)],
  ),
  when(
    "more, in two fragments",
    [frame(BINARY, bytes(200_000), notLast), frame(MORE, bytes(100_001))],
    [closed(1009)],
  ),
  when("as many fragments as may be", fragments("*".repeat(200), 1), [
    text("*".repeat(200)),
  ]),
  when("a fragment more", fragments("*".repeat(201), 1), [closed(1008)]),
  when(
    "a fragment more, without a byte",
    [
      frame(TEXT, "", notLast),
      ...Array.from({ length: 200 }, () => frame(MORE, "", notLast)),
    ],
    [closed(1008)],
  ),
];

/** @type {FrameGroup[]} */
export const FRAME_GROUPS = [
  { name: "messages", section: "5.2 and 5.6", cases: messages },
  { name: "pings", section: "5.5, 5.5.2 and 5.5.3", cases: pings },
  { name: "reserved bits and opcodes", section: "5.2", cases: reserved },
  { name: "heads", section: "5.1, 5.2 and 5.3", cases: heads },
  { name: "fragments", section: "5.4", cases: fragmented },
  { name: "UTF-8", section: "5.6 and 8.1", cases: utf8 },
  {
    name: "closing",
    section: "5.5.1, 7.1.5, 7.4.1 and 7.4.2",
    cases: closing,
  },
  { name: "limits", section: "7.4.1 and 10.4", cases: limits },
];

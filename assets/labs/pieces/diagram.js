/**
 * Where the parser's states stand in a drawing, and the ways between them. The
 * states are those of the milestone's file, and the ways those that it takes:
 * tests/site/pieces.test.js holds both against it.
 */

/**
 * @typedef {[x: number, y: number]} Point
 * @typedef {{ x: number, y: number, width: number, height: number, words: string,
 *   reads: "line" | "bytes" }} Box
 * @typedef {{ from: string, to: string, points: Point[] }} Way
 */

export const width = 290;
export const height = 320;

const size = { width: 116, height: 34 };

/** @type {Record<string, Box>} */
export const boxes = {
  REQUEST_LINE: { x: 87, y: 4, ...size, words: "request line", reads: "line" },
  FIELD_LINE: { x: 87, y: 72, ...size, words: "field line", reads: "line" },
  BODY: { x: 26, y: 146, ...size, words: "body", reads: "bytes" },
  CHUNK_SIZE: { x: 158, y: 146, ...size, words: "chunk size", reads: "line" },
  CHUNK_DATA: { x: 158, y: 214, ...size, words: "chunk data", reads: "bytes" },
  CHUNK_END: { x: 158, y: 282, ...size, words: "chunk end", reads: "line" },
  TRAILER_LINE: { x: 26, y: 214, ...size, words: "trailer line", reads: "line" },
};

/** @type {Way[]} */
export const ways = [
  way("REQUEST_LINE", "FIELD_LINE", [120, 38], [120, 72]),
  way("FIELD_LINE", "REQUEST_LINE", [170, 72], [170, 38]),
  way("FIELD_LINE", "BODY", [112, 106], [90, 146]),
  way("FIELD_LINE", "CHUNK_SIZE", [182, 106], [206, 146]),
  way("BODY", "REQUEST_LINE", [26, 163], [9, 163], [9, 21], [87, 21]),
  way("CHUNK_SIZE", "CHUNK_DATA", [216, 180], [216, 214]),
  way("CHUNK_SIZE", "TRAILER_LINE", [176, 180], [124, 214]),
  way("CHUNK_DATA", "CHUNK_END", [216, 248], [216, 282]),
  way("CHUNK_END", "CHUNK_SIZE", [274, 299], [286, 299], [286, 163], [274, 163]),
  way("TRAILER_LINE", "REQUEST_LINE", [26, 231], [9, 231], [9, 21], [87, 21]),
];

/**
 * @param {string} from
 * @param {string} to
 * @param {Point[]} points
 * @returns {Way}
 */
function way(from, to, ...points) {
  return { from, to, points };
}

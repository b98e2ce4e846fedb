import { isUtf8 } from "node:buffer";

const NOTHING = Buffer.alloc(0);

/** Says of text in pieces, as early as one can tell, whether it is UTF-8. */
export class Utf8Checker {
  // The first bytes of a code point whose last ones are still to come.
  #open = NOTHING;

  push(piece) {
    const bytes = Buffer.concat([this.#open, piece]);
    const end = endOfWhole(bytes);
    this.#open = Buffer.from(bytes.subarray(end));
    return isUtf8(bytes.subarray(0, end)) && canGoOn(this.#open);
  }

  /** Whether the text may end here. */
  get isWhole() {
    return this.#open.length === 0;
  }
}

// Where the last code point begins, if bytes of it are missing.
function endOfWhole(bytes) {
  const { length } = bytes;
  for (let back = 1; back <= Math.min(3, length); back += 1) {
    const byte = bytes[length - back];
    if (byte < 0x80) return length;
    if (byte >= 0xc0) return sizeBy(byte) > back ? length - back : length;
  }
  return length;
}

function sizeBy(first) {
  if (first >= 0xf0) return 4;
  return first >= 0xe0 ? 3 : 2;
}

// After four first bytes, only some second bytes may come (Unicode, 3.9).
const SECOND_BYTES = new Map([
  [0xe0, [0xa0, 0xbf]],
  [0xed, [0x80, 0x9f]],
  [0xf0, [0x90, 0xbf]],
  [0xf4, [0x80, 0x8f]],
]);

function canGoOn(open) {
  if (open.length === 0) return true;
  const [first, second] = open;
  if (first < 0xc2 || first > 0xf4) return false;
  const [least, most] = SECOND_BYTES.get(first) ?? [0x80, 0xbf];
  return open.length === 1 || (second >= least && second <= most);
}

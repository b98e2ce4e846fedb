import { createServer } from "node:net";

/** The last digit is free for the book: 3000 to 3009. */
const PORTS = 10;

/**
 * A port in a command: behind a host, in a name such as PORT, given to
 * `listen` or `connect`, or a word of its own that isn't another option's.
 * `Buffer.alloc(3000)` and `head -c 3000` speak of something else.
 */
const PORT =
  /(?<=[\w\]]:|\bPORT=|\bport[:=]? ?|\s-p |\b(?:connect|listen)\(|^|(?<!\s--?[\w-]+)\s)300(\d)(?![\d.]*\d|[\w*])/g;

/** Blocks that a chapter being walked has. @type {Set<number>} */
const taken = new Set();

/**
 * The ports that stand in for 3000 to 3009 while a chapter is walked. They
 * have four digits too, so that lengths in bytes stay true.
 */
export class PortBlock {
  /** @param {number} tens  454 for 4540 to 4549 */
  constructor(tens) {
    this.tens = tens;
  }

  /** What stands in for 3000. */
  get port() {
    return this.tens * PORTS;
  }

  /**
   * What the reader types, as it has to be run. Other numbers stay.
   *
   * @param {string} command
   */
  toRealPorts(command) {
    return command.replace(PORT, `${this.tens}$1`);
  }

  /**
   * What was printed, as the reader would see it.
   *
   * @param {string} output
   */
  toBookPorts(output) {
    const [a, b, c] = String(this.tens);
    const dumped = new RegExp(`\\b3${a} ?3${b} ?3${c} ?3\\d\\b`, "g");
    return output
      .replace(new RegExp(`(?<![\\d.])${this.tens}(\\d)(?!\\d)`, "g"), "300$1")
      .replace(dumped, (hex) => replaceHexDigits(hex, "300"));
  }

  release() {
    taken.delete(this.tens);
  }
}

/**
 * Puts others in the place of the first digits of a dump such as
 * `34 35 34 31`. What stands between them stays.
 *
 * @param {string} hex
 * @param {string} digits
 */
function replaceHexDigits(hex, digits) {
  let index = 0;
  return hex.replace(/3\d/g, (digit) => (index < digits.length ? `3${digits[index++]}` : digit));
}

/**
 * Finds ten free ports in a row.
 *
 * @param {string} text  the chapter: no number that stands in it is taken, or
 *   it would be read as a port
 * @returns {Promise<PortBlock>}
 */
export async function reservePorts(text) {
  const candidates = Array.from({ length: 500 }, (_, index) => 450 + index);
  const start = Math.floor(Math.random() * candidates.length);
  for (let offset = 0; offset < candidates.length; offset++) {
    const tens = candidates[(start + offset) % candidates.length];
    if (taken.has(tens) || new RegExp(`(?<!\\d)${tens}\\d(?!\\d)`).test(text)) continue;
    taken.add(tens);
    if (await isFree(tens)) return new PortBlock(tens);
    taken.delete(tens);
  }
  throw new Error("there are no ten free ports in a row between 4500 and 9499");
}

/** @param {number} tens */
async function isFree(tens) {
  const ports = Array.from({ length: PORTS }, (_, digit) => tens * PORTS + digit);
  const free = await Promise.all(ports.map(canListen));
  return free.every(Boolean);
}

/**
 * @param {number} port
 * @returns {Promise<boolean>}
 */
function canListen(port) {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, () => server.close(() => resolve(true)));
  });
}

/**
 * Bytes, the places where they are cut, and a milestone's own parser that gets
 * them piece by piece. Nothing here touches a page.
 */

import { readableName } from "../link.js";

/**
 * @typedef {object} Snapshot what stands in the parser between two pieces
 * @property {string} state its name in the milestone's file
 * @property {string} line the beginning of a line whose end hasn't come
 * @property {Buffer} body what has come of the body
 * @property {number} missing bytes of the body, or of the chunk, to come
 * @property {boolean} isBetweenRequests
 *
 * @typedef {{ statusCode: number, message: string }} Refusal
 */

export class Feeding {
  /** Where pieces end: `3` is after the third byte. @type {Set<number>} */
  cuts;
  /** How many bytes the parser has got. */
  fed = 0;
  /** @type {any[]} */
  requests = [];
  /** @type {Refusal | null} */
  refusal = null;
  /** The state in which each byte was read. @type {string[]} */
  readIn = [];
  /** The states of the last piece, in their order. @type {string[]} */
  passed = [];
  #parser;
  #byteParser;

  /**
   * @param {object} options
   * @param {any} options.module the milestone's request-parser.js
   * @param {string[]} options.states
   * @param {Record<string, string>} options.reads private names, by ours
   * @param {Buffer} options.bytes
   * @param {Iterable<number>} [options.cuts]
   */
  constructor({ module, states, reads, bytes, cuts = [] }) {
    this.module = module;
    this.states = states;
    this.reads = reads;
    this.bytes = bytes;
    this.cuts = new Set(cuts);
    this.#parser = this.#makeParser((request) => this.requests.push(request));
    // The same bytes, one by one: it knows what each byte was read as.
    this.#byteParser = this.#makeParser(() => {});
    this.passed = [this.#stateOf(this.#parser)];
  }

  /** @param {(request: any) => void} onRequest */
  #makeParser(onRequest) {
    return new this.module.RequestParser({ onRequest });
  }

  /** @returns {Feeding} the same bytes and cuts, with nothing fed */
  again() {
    return new Feeding(this);
  }

  get isDone() {
    return this.refusal !== null || this.fed >= this.bytes.length;
  }

  /** Where the next piece ends. */
  get nextEnd() {
    const ends = [...this.cuts, this.bytes.length].filter((end) => end > this.fed);
    return Math.min(...ends);
  }

  get pieceCount() {
    return this.bytes.length === 0 ? 0 : this.cuts.size + 1;
  }

  /** Hands the next piece to the parser. */
  feed() {
    if (this.isDone) return;
    const piece = this.bytes.subarray(this.fed, this.nextEnd);
    this.#followBytes(piece);
    this.fed += piece.length;
    try {
      this.#parser.push(piece);
    } catch (err) {
      const { statusCode, message } = /** @type {any} */ (err);
      if (statusCode === undefined) throw err;
      this.refusal = { statusCode, message };
    }
  }

  /** @param {Buffer} piece */
  #followBytes(piece) {
    this.passed = [this.#stateOf(this.#byteParser)];
    for (let index = 0; index < piece.length; index += 1) {
      const before = this.#stateOf(this.#byteParser);
      this.readIn.push(before);
      try {
        this.#byteParser.push(piece.subarray(index, index + 1));
      } catch {
        return;
      }
      const after = this.#stateOf(this.#byteParser);
      if (after !== before) this.passed.push(after);
    }
  }

  /** @returns {Snapshot} */
  look() {
    const parser = this.#parser;
    return {
      state: this.#stateOf(parser),
      line: this.#read(parser, "line"),
      body: Buffer.concat(this.#read(parser, "pieces")),
      missing: this.#read(parser, "missing"),
      isBetweenRequests: parser.isBetweenRequests,
    };
  }

  /** @param {any} parser */
  #stateOf(parser) {
    return this.states[this.#read(parser, "state")];
  }

  /**
   * @param {any} parser
   * @param {string} what
   */
  #read(parser, what) {
    return parser[readableName(this.reads[what])];
  }
}

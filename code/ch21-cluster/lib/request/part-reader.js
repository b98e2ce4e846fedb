import { HttpError, UsageError } from "../errors.js";
import { MultipartParser } from "./multipart-parser.js";

/**
 * Reads parts from a body that is still coming. What it takes is undefined
 * where it has to fetch more bytes first.
 */
export class PartReader {
  #chunks;
  #parser;
  // Grows when a head is asked for: the part before it is over then.
  #number = 0;

  /**
   * @param {AsyncIterator<Buffer>} chunks
   * @param {string} boundary
   */
  constructor(chunks, boundary) {
    this.#chunks = chunks;
    this.#parser = new MultipartParser(boundary);
  }

  /** Skips to the head of the next part: null if there are no more. */
  takeHead(mostBytes) {
    this.#number += 1;
    let piece = this.#parser.takePiece();
    while (piece) piece = this.#parser.takePiece();
    return piece === null ? this.#parser.takeHead(mostBytes) : undefined;
  }

  /** Takes the next piece of a part: null if there are no more. */
  takePiece(number) {
    if (number !== this.#number) throw new UsageError("ERR_PART_OVER");
    return this.#parser.takePiece();
  }

  /** Gives the content of the part whose head was taken last. */
  pieces(mostBytes) {
    return new Pieces(this, this.#number, mostBytes);
  }

  /** No part can be read any more. */
  end() {
    this.#number += 1;
  }

  async fetch() {
    const { value, done } = await this.#chunks.next();
    if (done) throw new HttpError(400, "the body ends inside a part");
    this.#parser.push(value);
  }
}

// With async generators for this and for the parts, 900 small fields took
// 1.3 times as long in one run (Node 26).
class Pieces {
  #reader;
  #number;
  #mostBytes;
  #bytes = 0;

  constructor(reader, number, mostBytes) {
    this.#reader = reader;
    this.#number = number;
    this.#mostBytes = mostBytes;
  }

  [Symbol.asyncIterator]() {
    return this;
  }

  // Takes the next piece if it has come: null if there are no more.
  takeReady() {
    const piece = this.#reader.takePiece(this.#number);
    if (!piece) return piece;
    this.#bytes += piece.length;
    if (this.#bytes > this.#mostBytes) {
      throw new HttpError(413, "a part is too large");
    }
    return piece;
  }

  async next() {
    let piece = this.takeReady();
    while (piece === undefined) {
      await this.#reader.fetch();
      piece = this.takeReady();
    }
    if (piece === null) return { value: undefined, done: true };
    return { value: piece, done: false };
  }
}

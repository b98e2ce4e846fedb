import { HttpError, UsageError } from "../errors.js";
import { MultipartParser } from "./multipart-parser.js";

/** Reads parts from a body that is still coming. */
export class PartReader {
  #chunks;
  #parser;
  // Which part is being read: the first, the second, and so on.
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
  async nextHead(mostBytes) {
    this.#number += 1;
    for (;;) {
      let piece = this.#parser.takePiece();
      while (piece) piece = this.#parser.takePiece();
      if (piece === null) {
        const head = this.#parser.takeHead(mostBytes);
        if (head !== undefined) return head;
      }
      await this.#fetch();
    }
  }

  /** Gives the content of the part whose head was read last. */
  pieces(mostBytes) {
    return this.#piecesOf(this.#number, mostBytes);
  }

  async *#piecesOf(number, mostBytes) {
    let bytes = 0;
    for (;;) {
      if (number !== this.#number) throw new UsageError("ERR_PART_OVER");
      const piece = this.#parser.takePiece();
      if (piece === null) return;
      if (piece === undefined) {
        await this.#fetch();
        continue;
      }
      bytes += piece.length;
      if (bytes > mostBytes) {
        throw new HttpError(413, "a part is too large");
      }
      yield piece;
    }
  }

  async #fetch() {
    const { value, done } = await this.#chunks.next();
    if (done) throw new HttpError(400, "the body ends inside a part");
    this.#parser.push(value);
  }
}

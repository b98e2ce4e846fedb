/** Lines that wait, as many as there is room for. */
export class LineBuffer {
  #text = "";
  bytes = 0;
  lines = 0;

  /** @returns {boolean} whether there was room for it */
  keep(line, mostBytes) {
    const bytes = Buffer.byteLength(line);
    if (this.bytes + bytes > mostBytes) return false;
    this.#text += line;
    this.bytes += bytes;
    this.lines += 1;
    return true;
  }

  /** Gives all that wait, and has room again. */
  take() {
    const chunk = { bytes: Buffer.from(this.#text), lines: this.lines };
    this.#text = "";
    this.bytes = 0;
    this.lines = 0;
    return chunk;
  }
}

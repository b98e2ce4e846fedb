/** @import { Found } from "./folder.js" */

// What a file takes besides its content. We measured about 720 bytes.
const OVERHEAD_BYTES = 1024;

/** Files that were read, as many as fit into some memory. */
export class Kept {
  #maxBytes;
  #bytes = 0;

  /** What was used last stands last. @type {Map<string, Found>} */
  #files = new Map();

  /** @param {number} maxBytes */
  constructor(maxBytes) {
    this.#maxBytes = maxBytes;
  }

  get(path) {
    const file = this.#files.get(path);
    if (file === undefined) return undefined;
    this.#files.delete(path);
    this.#files.set(path, file);
    return file;
  }

  add(path, file) {
    this.#delete(path);
    if (sizeOf(file) > this.#maxBytes) return;
    this.#files.set(path, file);
    this.#bytes += sizeOf(file);
    for (const oldest of this.#files.keys()) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#delete(oldest);
    }
  }

  #delete(path) {
    const file = this.#files.get(path);
    if (file === undefined) return;
    this.#files.delete(path);
    this.#bytes -= sizeOf(file);
  }
}

function sizeOf({ content }) {
  return content.length + OVERHEAD_BYTES;
}

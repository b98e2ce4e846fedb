/**
 * What stands in a page for Node's Buffer: as much of it as the book's parsers
 * use, and the same to the byte (tests/site/buffer.test.js).
 */

// Node keeps a byte order mark.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const encoder = new TextEncoder();

export class PageBuffer extends Uint8Array {
  /** @param {number} size */
  static alloc(size) {
    return new PageBuffer(size);
  }

  // A page has no pool and no unsafe memory: all of it is zeros.
  /** @param {number} size */
  static allocUnsafe(size) {
    return new PageBuffer(size);
  }

  /** @param {number} size */
  static allocUnsafeSlow(size) {
    return new PageBuffer(size);
  }

  /**
   * @param {any} source a string, or bytes
   * @param {any} [encoding]
   * @returns {any} as Uint8Array.from, which it stands before, has other types
   */
  static from(source, encoding = "utf8") {
    if (typeof source !== "string") return new PageBuffer(source);
    if (!isLatin1(encoding)) return new PageBuffer(encoder.encode(source));
    const bytes = new PageBuffer(source.length);
    for (let index = 0; index < bytes.length; index += 1) bytes[index] = source.charCodeAt(index);
    return bytes;
  }

  /**
   * @param {Uint8Array[]} list
   * @param {number} [length] in bytes
   */
  static concat(list, length = list.reduce((sum, each) => sum + each.length, 0)) {
    const all = new PageBuffer(length);
    let at = 0;
    for (const each of list) {
      all.set(each.subarray(0, length - at), at);
      at = Math.min(at + each.length, length);
    }
    return all;
  }

  /** @param {string} text */
  static byteLength(text) {
    return encoder.encode(text).length;
  }

  /** @param {unknown} value */
  static isBuffer(value) {
    return value instanceof PageBuffer;
  }

  /**
   * @param {Uint8Array} target
   * @param {number} [targetStart]
   * @param {number} [start]
   * @param {number} [end]
   * @returns {number} how many bytes were copied
   */
  copy(target, targetStart = 0, start = 0, end = this.length) {
    const room = Math.max(target.length - targetStart, 0);
    const bytes = this.subarray(start, Math.min(end, start + room));
    target.set(bytes, targetStart);
    return bytes.length;
  }

  /**
   * @param {string} [encoding]
   * @param {number} [start]
   * @param {number} [end]
   */
  toString(encoding = "utf8", start = 0, end = this.length) {
    const bytes = this.subarray(start, end);
    if (!isLatin1(encoding)) return decoder.decode(bytes);
    return Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  }
}

/** @param {string} encoding */
function isLatin1(encoding) {
  if (encoding === "latin1" || encoding === "binary") return true;
  if (encoding === "utf8" || encoding === "utf-8") return false;
  throw new TypeError(`a page's Buffer knows latin1 and utf8, and not ${encoding}`);
}

/**
 * Frames as bytes, and back (RFC 6455, section 5.2). Nothing of this is
 * shared with what is tested.
 *
 * @typedef {object} FrameOptions
 * @property {boolean} [isLast] of its message; true unless given
 * @property {number} [reserved] the three reserved bits, 0 to 7
 * @property {boolean} [isMasked] true unless given
 * @property {Buffer} [length] the bytes of the length, behind the first
 * @property {number} [shortLength] what stands in the second byte
 *
 * @typedef {{ opcode: number, isLast: boolean, payload: Buffer }} Frame
 */

const MASK = Buffer.from([0x37, 0xfa, 0x21, 0x3d]);

/**
 * @param {number} opcode
 * @param {string | Uint8Array} [content]
 * @param {FrameOptions} [options]
 */
export function frame(opcode, content = "", options = {}) {
  const { isLast = true, reserved = 0, isMasked = true } = options;
  const payload = Buffer.from(content);
  const written = lengthOf(payload.length);
  const { shortLength = written.short, length = written.more } = options;
  const first = (isLast ? 0x80 : 0) | (reserved << 4) | opcode;
  const second = (isMasked ? 0x80 : 0) | shortLength;
  const head = Buffer.from([first, second]);
  if (!isMasked) return Buffer.concat([head, length, payload]);
  const masked = payload.map((byte, i) => byte ^ MASK[i % 4]);
  return Buffer.concat([head, length, MASK, masked]);
}

/** @param {number} length */
function lengthOf(length) {
  if (length < 126) return { short: length, more: Buffer.alloc(0) };
  const isShort = length < 65536;
  const more = Buffer.alloc(isShort ? 2 : 8);
  if (isShort) more.writeUInt16BE(length);
  else more.writeBigUInt64BE(BigInt(length));
  return { short: isShort ? 126 : 127, more };
}

/**
 * @param {number} [code] none if not given
 * @param {string | Uint8Array} [reason]
 */
export function close(code, reason = "") {
  return frame(8, closePayload(code, reason));
}

/**
 * @param {number} [code]
 * @param {string | Uint8Array} [reason]
 */
export function closePayload(code, reason = "") {
  if (code === undefined) return Buffer.alloc(0);
  const start = Buffer.alloc(2);
  start.writeUInt16BE(code);
  return Buffer.concat([start, Buffer.from(reason)]);
}

/**
 * Takes the whole frames of a server out of its bytes.
 *
 * @param {Buffer} bytes
 * @returns {{ frames: Frame[], rest: Buffer }}
 * @throws {Error} if one is masked, or has a reserved bit
 */
export function readFrames(bytes) {
  const frames = [];
  let rest = bytes;
  for (;;) {
    const read = readFrame(rest);
    if (read === null) return { frames, rest };
    frames.push(read.frame);
    rest = rest.subarray(read.size);
  }
}

/** @param {Buffer} bytes */
function readFrame(bytes) {
  if (bytes.length < 2) return null;
  const [first, second] = bytes;
  if ((first & 0x70) !== 0)
    throw new Error("the server set a reserved bit");
  if ((second & 0x80) !== 0)
    throw new Error("the server has masked a frame");
  const start = second < 126 ? 2 : second === 126 ? 4 : 10;
  if (bytes.length < start) return null;
  let length = second;
  if (start === 4) length = bytes.readUInt16BE(2);
  if (start === 10) length = Number(bytes.readBigUInt64BE(2));
  const size = start + length;
  if (bytes.length < size) return null;
  const payload = bytes.subarray(start, size);
  const isLast = (first & 0x80) !== 0;
  return { size, frame: { opcode: first & 0x0f, isLast, payload } };
}

import { show, UsageError } from "../errors.js";

/** What a frame is for (RFC 6455, section 5.2). */
export const CONTINUATION = 0;
export const TEXT = 1;
export const BINARY = 2;
export const CLOSE = 8;
export const PING = 9;
export const PONG = 10;

/** In a frame's first byte: it is the last of its message. */
export const FIN = 0x80;

/**
 * @param {number} opcode
 * @param {string | Uint8Array} payload
 * @returns {Buffer} a frame; a server puts no mask on it
 */
export function encodeFrame(opcode, payload) {
  const length = Buffer.byteLength(payload);
  const start = length < 126 ? 2 : length < 65536 ? 4 : 10;
  const frame = Buffer.allocUnsafe(start + length);
  frame[0] = FIN | opcode;
  frame[1] = start === 2 ? length : start === 4 ? 126 : 127;
  if (start === 4) frame.writeUInt16BE(length, 2);
  if (start === 10) {
    // No Buffer is so long that it needed more than six bytes.
    frame.writeUInt16BE(0, 2);
    frame.writeUIntBE(length, 4, 6);
  }
  if (typeof payload === "string") frame.write(payload, start);
  else frame.set(payload, start);
  return frame;
}

/**
 * @param {string | Uint8Array} data
 * @returns {Buffer} a message of one frame
 * @throws {UsageError} ERR_MESSAGE_INVALID
 */
export function encodeMessage(data) {
  if (typeof data === "string") return encodeFrame(TEXT, data);
  if (data instanceof Uint8Array) return encodeFrame(BINARY, data);
  throw new UsageError("ERR_MESSAGE_INVALID", show(data));
}

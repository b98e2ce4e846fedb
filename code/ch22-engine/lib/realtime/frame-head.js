import { CLOSE, FIN, PONG } from "./frame.js";
import { ProtocolError } from "./protocol-error.js";

/**
 * How many bytes the head of a client's frame has (RFC 6455, section 5.2).
 * Errors in the first two bytes are reported without waiting for more.
 *
 * @param {Buffer} bytes of which two are there
 * @throws {ProtocolError} 1002
 */
export function headSize(bytes, at) {
  const first = bytes[at];
  const second = bytes[at + 1];
  const opcode = first & 0x0f;
  const length = second & 0x7f;
  if ((first & 0x70) !== 0) throw wrong("a reserved bit is set");
  if (opcode > PONG || (opcode > 2 && opcode < CLOSE)) {
    throw wrong("the opcode is reserved");
  }
  if (opcode >= CLOSE && ((first & FIN) === 0 || length > 125)) {
    throw wrong("a control frame is whole and short");
  }
  if ((second & 0x80) === 0) throw wrong("a client masks its frames");
  // The lengths of the length, and of the mask.
  if (length < 126) return 2 + 4;
  return length === 126 ? 2 + 2 + 4 : 2 + 8 + 4;
}

/** How many bytes a frame carries. @throws {ProtocolError} 1002 */
export function payloadLength(bytes, at) {
  const short = bytes[at + 1] & 0x7f;
  if (short < 126) return short;
  const isLong = short === 127;
  if (isLong && bytes[at + 2] >= 0x80) {
    throw wrong("the first bit of a long length is 0");
  }
  const length = isLong
    ? bytes.readUInt32BE(at + 2) * 2 ** 32 + bytes.readUInt32BE(at + 6)
    : bytes.readUInt16BE(at + 2);
  if (length >= (isLong ? 2 ** 16 : 126)) return length;
  throw wrong("the length isn't written in the shortest way");
}

function wrong(why) {
  return new ProtocolError(1002, why);
}

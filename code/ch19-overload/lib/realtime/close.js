import { isUtf8 } from "node:buffer";
import { show, UsageError } from "../errors.js";
import { ProtocolError } from "./protocol-error.js";

/** What stands for a Close without a code (RFC 6455, section 7.4.1). */
export const NO_CODE = 1005;

/** What stands for a connection that ended without a Close. */
export const BROKEN_OFF = 1006;

/** What an error of the server's is told with. */
export const SERVER_FAILED = 1011;

// A control frame carries 125 bytes, and two of them are the code.
const REASON_BYTES = 123;

// RFC 6455, section 7.4, and IANA's list of codes.
function isSent(code) {
  if (code >= 3000 && code <= 4999) return true;
  return code >= 1000 && code <= 1014 && (code < 1004 || code > 1006);
}

/** @param {Buffer} payload of a Close frame */
export function readClose(payload) {
  if (payload.length === 0) return { code: NO_CODE, reason: "" };
  const code = payload.length === 1 ? 0 : payload.readUInt16BE(0);
  if (!isSent(code)) throw new ProtocolError(1002, "no such close code");
  const reason = payload.subarray(2);
  if (isUtf8(reason)) return { code, reason: reason.toString() };
  throw new ProtocolError(1007, "the reason isn't UTF-8");
}

/** @returns {Buffer} the payload of a Close frame */
export function encodeClose(code, reason) {
  if (code === NO_CODE) return Buffer.alloc(0);
  if (!Number.isInteger(code) || !isSent(code)) {
    throw new UsageError("ERR_CLOSE_INVALID", show(code), "no such code");
  }
  const isText = typeof reason === "string";
  if (!isText || Buffer.byteLength(reason) > REASON_BYTES) {
    const why = `the reason is a string of at most ${REASON_BYTES} bytes`;
    throw new UsageError("ERR_CLOSE_INVALID", show(reason), why);
  }
  const payload = Buffer.alloc(2 + Buffer.byteLength(reason));
  payload.writeUInt16BE(code);
  payload.write(reason, 2);
  return payload;
}

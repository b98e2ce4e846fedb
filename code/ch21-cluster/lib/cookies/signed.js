import { createHmac, createSecretKey, timingSafeEqual } from "node:crypto";
import { UsageError } from "../errors.js";

const LEAST_BYTES = 32;

/**
 * Signs values with the first secret, and knows the signatures of all.
 *
 * @param {string[]} secrets each of at least 32 bytes, the newest first
 * @throws {UsageError} ERR_OPTION_INVALID
 */
export function signer(secrets) {
  const keys = readSecrets(secrets);
  return {
    /** @param {string} name what the value is for: a cookie's name */
    sign(name, value) {
      return `${value}.${macOf(keys[0], name, value)}`;
    },

    /** @returns {string | null} the value, or null if nobody signed it */
    verify(name, signed) {
      if (typeof signed !== "string") return null;
      const dot = signed.lastIndexOf(".");
      const value = signed.slice(0, Math.max(dot, 0));
      const mac = Buffer.from(signed.slice(dot + 1));
      const isOurs = keys.some((key) => {
        const expected = Buffer.from(macOf(key, name, value));
        if (mac.length !== expected.length) return false;
        return timingSafeEqual(mac, expected);
      });
      return isOurs ? value : null;
    },
  };
}

function readSecrets(secrets) {
  const isList = Array.isArray(secrets) && secrets.length > 0;
  const isGood = isList && secrets.every(isLong);
  if (!isGood) {
    const expected = `a list of strings of ${LEAST_BYTES} bytes or more`;
    // The message shows none of them.
    const details = ["secrets", expected, "what was given"];
    throw new UsageError("ERR_OPTION_INVALID", ...details);
  }
  return secrets.map((secret) => createSecretKey(Buffer.from(secret)));
}

function isLong(secret) {
  if (typeof secret !== "string") return false;
  return Buffer.byteLength(secret) >= LEAST_BYTES;
}

// With its length before it, nobody moves the border of name and value.
function macOf(key, name, value) {
  const text = `${name.length} ${name} ${value}`;
  return createHmac("sha256", key).update(text).digest("base64url");
}

/** The bytes that the engine knows by name. */
export const TAB = 0x09;
export const LF = 0x0a;
export const CR = 0x0d;
export const SPACE = 0x20;
export const SLASH = 0x2f;
export const COLON = 0x3a;

// One entry for each byte: 1 if it is in the class.
function tableOf(pattern) {
  const table = new Uint8Array(256);
  for (let byte = 0; byte < 256; byte += 1) {
    if (pattern.test(String.fromCharCode(byte))) table[byte] = 1;
  }
  return table;
}

/** RFC 9110, section 5.6.2. */
export const TOKEN = tableOf(/[!#$%&'*+\-.^_`|~\w]/);

/** RFC 9112, section 3.2, and a few visible characters more. */
export const TARGET = tableOf(/[!-~]/);

/** RFC 9110, section 5.5. */
export const VALUE = tableOf(/[\t\x20-\x7e\x80-\xff]/);

/** Whether the bytes from `start` on are a word, in whatever case. */
export function isWord(bytes, start, word) {
  for (let i = 0; i < word.length; i += 1) {
    // Bit 5 makes a small letter of a capital one, and leaves `-` alone.
    if ((bytes[start + i] | 0x20) !== word.charCodeAt(i)) return false;
  }
  return true;
}

import { trim } from "./white-space.js";

// Names and values in turn. The text has been checked: every line has a
// colon, and white space only around its value.
export function splitFields(text, start) {
  const fields = [];
  let at = start;
  for (;;) {
    const end = text.indexOf("\r\n", at);
    if (end === at) return fields;
    const colon = text.indexOf(":", at);
    fields.push(text.slice(at, colon), trim(text, colon + 1, end));
    at = end + 2;
  }
}

const TOKEN = "[!#$%&'*+.^_`|~\\w-]+";
const VALUE = new RegExp(`(${TOKEN}(?:/${TOKEN})?)[ \\t]*`, "y");
const QUOTED = '"((?:[^"\\\\]|\\\\.)*)"';
const PARAMETER = new RegExp(
  `;[ \\t]*(?:(${TOKEN})=(?:${QUOTED}|(${TOKEN})))?[ \\t]*`,
  "y",
);

// Reads a value with parameters, such as `text/plain; charset=utf-8` (RFC
// 9110, section 5.6.6). Gives null for what isn't one.
export function parseField(field) {
  VALUE.lastIndex = 0;
  const value = VALUE.exec(field)?.[1].toLowerCase();
  if (value === undefined) return null;
  const parameters = new Map();
  PARAMETER.lastIndex = VALUE.lastIndex;
  while (PARAMETER.lastIndex < field.length) {
    const match = PARAMETER.exec(field);
    if (match === null) return null;
    const [, name, quoted, token] = match;
    if (name === undefined) continue;
    const key = name.toLowerCase();
    if (parameters.has(key)) return null;
    parameters.set(key, token ?? unquote(quoted));
  }
  return { value, parameters };
}

// Browsers don't escape a backslash. It stands for itself here, unless a
// quotation mark or another backslash comes behind it.
function unquote(text) {
  return text.replace(/\\(["\\])/g, "$1");
}

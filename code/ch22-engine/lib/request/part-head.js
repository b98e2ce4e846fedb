import { HttpError } from "../errors.js";
import { decodeText } from "./content.js";
import { parseField } from "./field.js";

// A control character, but no tab.
const CONTROL = /[^\P{Cc}\t]/u;
// What browsers write before a field that is no file.
const PLAIN =
  /^\r\nContent-Disposition: form-data; name="([^\p{Cc}"%\\]+)"$/u;
const NAME = /^[!#$%&'*+.^_`|~\w-]+$/;

/**
 * Reads what stands before a part's content (RFC 7578, section 4).
 *
 * @param {Buffer} bytes
 * @throws {HttpError} 400
 */
export function parsePartHead(bytes) {
  const head = decodeText(bytes);
  const plain = PLAIN.exec(head);
  if (plain !== null) {
    return { name: plain[1], filename: null, type: "text/plain" };
  }
  const fields = fieldsOf(head);
  const field = parseField(fields.get("content-disposition") ?? "");
  if (field?.value !== "form-data") refuse("a part is no form-data");
  const name = field.parameters.get("name");
  if (name === undefined) refuse("a part has no name");
  const filename = field.parameters.get("filename");
  return {
    name: restoreQuotes(name),
    filename: filename === undefined ? null : baseName(filename),
    type: fields.get("content-type") ?? "text/plain",
  };
}

function fieldsOf(head) {
  const fields = new Map();
  const [padding, ...lines] = head.split("\r\n");
  if (!/^[ \t]*$/.test(padding)) refuse("there is more behind a boundary");
  for (const line of lines) {
    const colon = line.indexOf(":");
    const name = line.slice(0, Math.max(colon, 0)).toLowerCase();
    if (!NAME.test(name) || CONTROL.test(line)) refuse("a broken field");
    if (fields.has(name)) refuse(`a part has ${name} twice`);
    fields.set(name, line.slice(colon + 1).trim());
  }
  return fields;
}

// Browsers write a quotation mark in a name as %22.
function restoreQuotes(name) {
  return name.replaceAll("%22", '"');
}

// Some clients send the whole path of a file. Folders mean nothing here.
function baseName(filename) {
  const name = restoreQuotes(filename).split(/[/\\]/).at(-1);
  return name === "." || name === ".." ? "" : name;
}

/** @returns {never} */
function refuse(why) {
  throw new HttpError(400, why);
}

import { segmentValue } from "../router/path.js";

// A file's name has no slash, backslash or NUL in it. A client that sends
// one, escaped, hopes that the file system reads it otherwise. `\0` is NUL.
const FORBIDDEN = /[/\\\0]/;

/**
 * The name that the rest of a canonical path gives to a file in a folder.
 *
 * @param {string} rest what a wildcard took
 * @param {boolean} dotfiles whether names may begin with a dot
 * @returns {string | null} null if no file may have the name
 */
export function fileNameOf(rest, dotfiles) {
  const names = rest.split("/").map(segmentValue);
  return areAllowed(names, dotfiles) ? names.join("/") : null;
}

export function areAllowed(names, dotfiles) {
  return names.every((name) => {
    if (name === "." || name === "..") return false;
    return !FORBIDDEN.test(name) && (dotfiles || !name.startsWith("."));
  });
}

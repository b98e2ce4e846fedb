// To a client, all of these say that there is no such file.
const MISSING = ["ENOENT", "ENOTDIR", "ENAMETOOLONG", "ELOOP", "EACCES"];

export function isMissing(err) {
  return MISSING.includes(err.code);
}

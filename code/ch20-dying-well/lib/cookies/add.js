import { formatCookie } from "./format.js";

const KEY =
  /^([^=]*)=[^;]*(; Path=[^;]*(?:; Domain=[^;]*)?(?:; Partitioned)?)?/;

/** Adds a cookie to an answer. The last one of a kind is sent. */
export function addCookie(res, name, value, options) {
  const line = formatCookie(name, value, options);
  const lines = [res.getHeader("set-cookie") ?? []].flat();
  const others = lines.filter((other) => keyOf(other) !== keyOf(line));
  res.setHeader("set-cookie", [...others, line]);
}

function keyOf(line) {
  const [, name, place] = KEY.exec(line) ?? [];
  return `${name}${place}`;
}

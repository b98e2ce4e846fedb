/**
 * Parts a request target at its question mark (RFC 3986, section 3.4).
 *
 * @param {string} target
 * @returns {{ path: string, query: Record<string, string | string[]> }}
 */
export function parseTarget(target) {
  const [path] = target.split("?", 1);
  const search = target.slice(path.length);
  // The keys come from outside, so it must not inherit any.
  const query = { __proto__: null };
  for (const [key, value] of new URLSearchParams(search)) {
    const earlier = query[key];
    if (earlier === undefined) query[key] = value;
    else if (Array.isArray(earlier)) earlier.push(value);
    else query[key] = [earlier, value];
  }
  return { path, query };
}

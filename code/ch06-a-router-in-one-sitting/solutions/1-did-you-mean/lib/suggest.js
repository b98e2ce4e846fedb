// With more letters to change, it is another path.
const MOST_EDITS = 2;

// The pattern that is nearest to a path, of two that are equally near the
// first; null if none is near.
export function nearestPattern(router, path) {
  let nearest = null;
  let fewest = MOST_EDITS + 1;
  for (const { pattern } of router.routes()) {
    const edits = editDistance(path, pattern);
    if (edits < fewest) [nearest, fewest] = [pattern, edits];
  }
  return nearest;
}

// How many letters to insert, delete or replace until `a` is `b`.
function editDistance(a, b) {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 0; i < a.length; i += 1) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j += 1) {
      const replaced = row[j] + (a[i] === b[j] ? 0 : 1);
      next.push(Math.min(replaced, row[j + 1] + 1, next[j] + 1));
    }
    row = next;
  }
  return row[b.length];
}

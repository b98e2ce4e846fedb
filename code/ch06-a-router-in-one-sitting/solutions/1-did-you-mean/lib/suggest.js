import { distance } from "./options.js";

// With more letters to change, it is another path.
const MOST_EDITS = 2;

// The pattern that is nearest to a path, of two that are equally near the
// first; null if none is near.
export function nearestPattern(router, path) {
  let nearest = null;
  let fewest = MOST_EDITS + 1;
  for (const { pattern } of router.routes()) {
    const edits = distance(path, pattern);
    if (edits < fewest) [nearest, fewest] = [pattern, edits];
  }
  return nearest;
}

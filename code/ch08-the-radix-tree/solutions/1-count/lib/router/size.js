/**
 * Measures what is below a node: how many nodes there are, how many
 * characters their texts have, how many nodes the longest way down has.
 */
export function sizeBelow({ children, parameter }) {
  const size = { nodes: 0, characters: 0, height: 0 };
  for (const child of [...children, parameter]) {
    if (!child) continue;
    const below = sizeBelow(child);
    size.nodes += 1 + below.nodes;
    size.characters += child.prefix.length + below.characters;
    size.height = Math.max(size.height, 1 + below.height);
  }
  return size;
}

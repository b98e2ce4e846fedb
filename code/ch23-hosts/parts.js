/** Gives what the parser makes of a body that comes in these chunks. */
export function takeApart(Parser, chunks) {
  const parser = new Parser("b");
  const parts = [""];
  for (const chunk of chunks) {
    parser.push(chunk);
    while (takeMore(parser, parts));
  }
  return parts;
}

function takeMore(parser, parts) {
  const piece = parser.takePiece();
  if (piece !== null) {
    parts[parts.length - 1] += piece ?? "";
    return piece !== undefined;
  }
  const head = parser.takeHead(1000);
  if (!head) return false;
  parts.push(`${head}|`);
  return true;
}

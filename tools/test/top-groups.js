import { readFileSync } from "node:fs";
import { parse } from "acorn";

/**
 * The names of the groups at the top of a test file, read from its source, so
 * that nothing has to be run: every call of `describe`, `it` or `test` whose
 * statement stands at the file's top. Names that are computed are left to the
 * reader of the report.
 *
 * @param {string} path
 * @returns {{ name: string, line: number }[]}
 */
export function topGroups(path) {
  const program = parse(readFileSync(path, "utf8"), {
    ecmaVersion: "latest",
    sourceType: "module",
    locations: true,
  });
  const groups = [];
  for (const statement of program.body) {
    if (statement.type !== "ExpressionStatement") continue;
    const { expression } = statement;
    if (expression.type !== "CallExpression") continue;
    const { callee } = expression;
    const called = callee.type === "MemberExpression" ? callee.object : callee;
    if (called.type !== "Identifier" || !["describe", "it", "test"].includes(called.name)) continue;
    const [first] = expression.arguments;
    if (first?.type !== "Literal" || typeof first.value !== "string") continue;
    groups.push({ name: first.value, line: statement.loc?.start.line ?? 1 });
  }
  return groups;
}

import { parse } from "acorn";
import { visitNodes } from "./syntax.js";

/**
 * Something in a file that has a name: a function, a class, a member, a
 * variable, a key of an object, or a call, by its function and by its first
 * argument, if that is a string. Lines count from 1.
 *
 * @typedef {object} Entry
 * @property {string} name  `push`, `#push`, `agent.destroy`
 * @property {"function" | "class" | "property" | "variable" | "type" | "import" | "call"} kind
 * @property {number} top  where its comment begins, or itself
 * @property {number} start
 * @property {number} end
 *
 * What a place can speak of.
 *
 * @typedef {object} Outline
 * @property {Entry[]} entries
 * @property {Set<number>} comments  lines that are comment and nothing else
 */

/** @typedef {import("acorn").Node & Record<string, any>} Node */

/**
 * @param {string[]} lines  of a JavaScript file; of any other there is nothing
 *   to tell
 * @param {string} path
 * @returns {Outline}
 */
export function outlineOf(lines, path) {
  /** @type {Outline} */
  const outline = { entries: [], comments: new Set() };
  if (!/\.[cm]?js$/.test(path)) return outline;
  const text = lines.join("\n");
  const program = parse(text, {
    ecmaVersion: "latest",
    sourceType: path.endsWith(".cjs") ? "script" : "module",
    allowHashBang: true,
    locations: true,
    checkPrivateFields: false,
    onComment(_isBlock, comment, _start, _end, from, to) {
      const start = from?.line ?? 0;
      const end = to?.line ?? start;
      const isAlone = lines[start - 1].slice(0, from?.column).trim() === "";
      if (!isAlone) return;
      for (let line = start; line <= end; line++) outline.comments.add(line);
      for (const [, name] of comment.matchAll(/@(?:typedef|callback)(?: \{.*?\})? (\w+)\s*$/gm)) {
        outline.entries.push({ name, kind: "type", top: start, start, end });
      }
      if (/@import\b/.test(comment)) {
        outline.entries.push({ name: "", kind: "import", top: start, start, end });
      }
      if (/@(typedef|import|type|callback)\b/.test(comment)) {
        outline.entries.push({ name: "", kind: "type", top: start, start, end });
      }
    },
  });
  visitNodes(program, (node, parent) => {
    const named = namesOf(node, text);
    const whole = parent?.type.startsWith("Export") ? parent : node;
    const { start, end } = linesOf(whole);
    let top = start;
    while (outline.comments.has(top - 1)) top--;
    for (const each of named) outline.entries.push({ ...each, top, start, end });
  });
  return outline;
}

/**
 * @param {Node} node
 * @param {string} text  of the file
 * @returns {Pick<Entry, "name" | "kind">[]}
 */
function namesOf(node, text) {
  switch (node.type) {
    case "FunctionDeclaration":
      return [{ name: node.id?.name ?? "default", kind: "function" }];
    case "ClassDeclaration":
      return [{ name: node.id?.name ?? "default", kind: "class" }];
    case "MethodDefinition":
      return [{ name: keyOf(node), kind: "function" }];
    case "PropertyDefinition":
      return [{ name: keyOf(node), kind: "property" }];
    case "Property":
      return [{ name: keyOf(node), kind: "property" }];
    case "VariableDeclaration": {
      const [{ id }] = node.declarations;
      return [{ name: text.slice(id.start, id.end), kind: "variable" }];
    }
    case "ImportDeclaration":
      return [{ name: node.source.value, kind: "import" }];
    case "CallExpression": {
      const names = [text.slice(node.callee.start, node.callee.end)];
      // A route is known by its path: `router.get("/hello", ...)`.
      const [first] = node.arguments;
      if (typeof first?.value === "string") names.push(first.value);
      return names.map((name) => ({ name, kind: "call" }));
    }
    default:
      return [];
  }
}

/** @param {Node} node  with a key */
function keyOf({ key }) {
  return key.type === "PrivateIdentifier" ? `#${key.name}` : String(key.name ?? key.value ?? "");
}

/** @param {Node} node */
function linesOf({ loc }) {
  return { start: loc?.start.line ?? 0, end: loc?.end.line ?? 0 };
}

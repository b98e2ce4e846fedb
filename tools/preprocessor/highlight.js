import path from "node:path";
import { bundledLanguages, createHighlighter as createShiki } from "shiki";
import { escapeHtml } from "./html.js";

/** What the names of the book's fences are to shiki, where they differ. */
const aliases = /** @type {Record<string, string>} */ ({ text: "plaintext", sh: "shellscript" });

/** Fences that are not code. */
const plain = new Set(["console", "text", "plaintext", ""]);

/**
 * The few roles that code is coloured by, and the grammars' names for them.
 * theme/css/general.css has a class t-ROLE for each.
 */
const scopesOfRoles = {
  comment: [
    "comment",
    "punctuation.definition.comment",
    "storage.type.class.jsdoc",
    "entity.name.type.instance.jsdoc",
    "punctuation.definition.block.tag.jsdoc",
  ],
  keyword: [
    "keyword",
    "storage",
    "variable.language",
    "punctuation.definition.template-expression",
    "entity.name.tag",
    "keyword.operator.new",
    "keyword.operator.expression",
  ],
  string: ["string", "punctuation.definition.string"],
  number: ["constant.numeric", "constant.language", "constant.character.escape", "string.regexp"],
  function: ["entity.name.function", "support.function", "entity.name.type", "entity.other"],
  property: ["support.type.property-name", "meta.object-literal.key"],
  // Operators, and what stands inside a template's braces.
  plain: ["keyword.operator", "storage.type.function.arrow", "meta.template.expression"],
};
const roles = Object.keys(scopesOfRoles);

/** Each role has a number for a colour: shiki hands it back with the token. */
const theme = {
  name: "roles",
  settings: Object.entries(scopesOfRoles).map(([role, scope]) => ({
    scope,
    settings: { foreground: colourOf(role) },
  })),
  fg: colourOf("plain"),
  bg: "#ffffff",
};

/** @param {string} role */
function colourOf(role) {
  return `#${roles.indexOf(role).toString(16).padStart(6, "0")}`;
}

/**
 * Highlights code as lines of HTML.
 *
 * @callback Highlighter
 * @param {string} code
 * @param {string} language as a fence names it
 * @returns {string[]} one piece of HTML per line
 */

/**
 * Loads the grammars that these fences need.
 *
 * @param {{ language: string, file?: string }[]} fences
 * @returns {Promise<Highlighter>}
 */
export async function createHighlighter(fences) {
  const languages = new Set(
    fences
      .map(({ language, file }) => grammarOf(language, file))
      .filter((name) => name in bundledLanguages),
  );
  const shiki = await createShiki({
    langs: [...languages],
    themes: [theme],
  });
  // A file is highlighted once for each change of it, and not for each hunk.
  /** @type {Map<string, string[]>} */
  const known = new Map();
  return (code, language) => {
    if (!languages.has(language)) return code.split("\n").map(escapeHtml);
    const key = `${language}\n${code}`;
    const lines = known.get(key) ?? highlight(code, language);
    known.set(key, lines);
    return [...lines];
  };

  /**
   * @param {string} code
   * @param {string} language
   */
  function highlight(code, language) {
    const { tokens } = shiki.codeToTokens(code, {
      lang: /** @type {import("shiki").BundledLanguage} */ (language),
      theme: "roles",
      // By default shiki gives a line up after half a second; a page must not
      // depend on how busy the machine is.
      tokenizeTimeLimit: 0,
    });
    return tokens.map((line) => mergeTokens(line).map(tokenToHtml).join(""));
  }
}

/**
 * The grammar for a fence: a diff is read in the language of its file.
 *
 * @param {string} language
 * @param {string} [file]
 * @returns {string} "" for none
 */
export function grammarOf(language, file) {
  const name = language === "diff" && file ? path.extname(file).slice(1) : language;
  return plain.has(name) ? "" : (aliases[name] ?? name);
}

/**
 * Joins neighbours of one colour: shorter pages, the same picture.
 *
 * @param {{ content: string, color?: string }[]} tokens
 */
function mergeTokens(tokens) {
  /** @type {{ content: string, color?: string }[]} */
  const merged = [];
  for (const { content, color } of tokens) {
    const last = merged.at(-1);
    if (last && (last.color === color || content.trim() === "")) last.content += content;
    else merged.push({ content, color });
  }
  return merged;
}

/** @param {{ content: string, color?: string }} token */
function tokenToHtml({ content, color }) {
  const role = roles.find((name) => colourOf(name) === color);
  const text = escapeHtml(content);
  return role && role !== "plain" ? `<span class="t-${role}">${text}</span>` : text;
}

import path from "node:path";
import { bundledLanguages, createHighlighter as createShiki } from "shiki";
import { escapeHtml } from "./html.js";

/** @import { GrammarState } from "shiki" */

/** What the names of the book's fences are to shiki, where they differ. */
const aliases = /** @type {Record<string, string>} */ ({ text: "plaintext", sh: "shellscript" });

/** Fences that are not code. */
const plain = new Set(["console", "text", "plaintext", ""]);

/**
 * The few roles that code is coloured by, and the grammars' names for them.
 * theme/css/general.css has a class t-ROLE for each.
 */
const scopesOfRoles = {
  comment: ["comment", "punctuation.definition.comment"],
  // Types and their words, which a reader need not type.
  doc: [
    "comment.block.documentation",
    "comment.block.documentation punctuation.definition.comment",
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
  /** @type {Map<string, { html: string, state: GrammarState, scopes: string }>} */
  const known = new Map();

  return (code, language) => {
    const lines = code.split("\n");
    if (!languages.has(language)) return lines.map(escapeHtml);
    /** @type {GrammarState | undefined} */
    let state;
    let scopes = "";
    return lines.map((line) => {
      const key = [language, scopes, line].join("\n");
      const result = known.get(key) ?? highlightLine(line, language, state);
      known.set(key, result);
      ({ state, scopes } = result);
      return result.html;
    });
  };

  /**
   * A chapter shows a file many times, each time with a few other lines. Since
   * a line looks the same after the same state, it is highlighted once.
   *
   * @param {string} line
   * @param {string} language
   * @param {GrammarState} [state] at the end of the line before
   */
  function highlightLine(line, language, state) {
    const { tokens, grammarState } = shiki.codeToTokens(line, {
      lang: /** @type {import("shiki").BundledLanguage} */ (language),
      theme: "roles",
      grammarState: state,
      // By default shiki gives a line up after half a second; a page must not
      // depend on how busy the machine is.
      tokenizeTimeLimit: 0,
    });
    const after = /** @type {GrammarState} */ (grammarState);
    return {
      html: mergeTokens(tokens[0] ?? [])
        .map(tokenToHtml)
        .join(""),
      state: after,
      scopes: after.getScopes()?.join(" ") ?? "",
    };
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

/**
 * A milestone's files as a lab in a page runs them: the modules it asks for and
 * what these import, with private names that can be read from outside. Nothing
 * else of them is changed.
 */

import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { parse } from "acorn";
import { readableName } from "../../assets/labs/link.js";
import { standIns } from "./lab-stand-ins.js";

/**
 * @import { LabDefinition } from "../../assets/labs/labs.js"
 * @import { Bundle, LabFile } from "../../assets/labs/link.js"
 */

/** Says what keeps a milestone's files from being run by a lab. */
export class LabFilesError extends Error {
  name = "LabFilesError";
}

/**
 * @param {string} root the book's root
 * @param {Pick<LabDefinition, "milestone" | "modules" | "reads">} lab
 * @returns {Bundle}
 * @throws {LabFilesError} when a module or a private name isn't there, or the
 *   files can't be run in a page
 */
export function collectLabFiles(root, { milestone, modules, reads }) {
  const folder = path.join(root, "code", milestone);
  const all = graphOf(folder, milestone);
  /** @type {Record<string, string>} */
  const entries = {};
  for (const name of modules) entries[name] = locate(name, [...all.keys()], milestone);

  const files = dependenciesFirst(Object.values(entries), all, milestone);
  checkPrivateNames(files, milestone);
  for (const [name, wanted] of Object.entries(reads)) {
    const known = files.find((file) => file.path === entries[name])?.privateNames ?? new Set();
    const missing = Object.values(wanted).filter((each) => !known.has(each));
    if (missing.length === 0) continue;
    throw new LabFilesError(
      `code/${milestone}/${entries[name]} has no ${missing.join(", ")}, which a lab reads: ` +
        "say in assets/labs/labs.js how it is called now",
    );
  }
  const own = [...new Set(files.flatMap(({ imports }) => imports.map((each) => each.specifier)))]
    .filter((specifier) => Object.hasOwn(standIns, specifier))
    .map((specifier) => ({ path: specifier, parts: [standIns[specifier].text] }));
  return { files: [...own, ...files.map(toLabFile)], entries, states: statesOf(files) };
}

/**
 * @typedef {object} Module
 * @property {string} path from the milestone's folder, with slashes
 * @property {string} text
 * @property {any} tree
 * @property {{ start: number, end: number, specifier: string, target: string | null,
 *   names: string[] }[]} imports target is null for what isn't a file of the milestone
 * @property {Set<string>} privateNames as `#root`
 */

/**
 * All that a milestone's program imports, from its index.js or server.js on,
 * and what its tests may import.
 *
 * @param {string} folder
 * @param {string} milestone
 * @returns {Map<string, Module>}
 */
function graphOf(folder, milestone) {
  const start = ["index.js", "server.js"].find((name) => existsSync(path.join(folder, name)));
  if (!start) throw new LabFilesError(`code/${milestone} has no index.js and no server.js`);
  /** @type {Map<string, Module>} */
  const modules = new Map();
  const waiting = [start, "testing.js"].filter((name) => existsSync(path.join(folder, name)));
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (modules.has(file)) continue;
    const module = readModule(folder, file);
    modules.set(file, module);
    for (const { target } of module.imports) if (target !== null) waiting.push(target);
  }
  return modules;
}

/**
 * @param {string} folder
 * @param {string} file
 * @returns {Module}
 */
function readModule(folder, file) {
  const text = readFileSync(path.join(folder, file), "utf8");
  /** @type {any} */
  const tree = parse(text, { ecmaVersion: "latest", sourceType: "module" });
  const imports = tree.body
    .filter((/** @type {any} */ { source }) => source)
    .map((/** @type {any} */ { source: { start, end, value }, specifiers = [] }) => {
      const isOwn = value.startsWith(".");
      const target = isOwn ? path.posix.join(path.posix.dirname(file), value) : null;
      const names = specifiers.map((/** @type {any} */ { imported }) => imported?.name ?? "all");
      return { start, end, specifier: value, target, names };
    });
  const names = nodesOf(tree).filter(({ type }) => type === "PrivateIdentifier");
  const privateNames = new Set(names.map(({ name }) => `#${name}`));
  return { path: file, text, tree, imports, privateNames };
}

/**
 * @param {string} name such as `router`, for lib/router.js or lib/router/router.js
 * @param {string[]} files
 * @param {string} milestone
 */
function locate(name, files, milestone) {
  const found = files.filter((file) => path.posix.basename(file) === `${name}.js`);
  // The file beside index.js that has the same name is the program, not the part.
  const [only, ...others] = found.filter((file) => file.includes("/"));
  if (only !== undefined && others.length === 0) return only;
  const what = only === undefined ? "no file" : "more than one file";
  throw new LabFilesError(
    `code/${milestone} has ${what} with the name ${name}.js, which a lab runs`,
  );
}

/**
 * @param {string[]} entries
 * @param {Map<string, Module>} all
 * @param {string} milestone
 * @returns {Module[]} the entries and what they import, each after its imports
 */
function dependenciesFirst(entries, all, milestone) {
  /** @type {Set<Module>} */
  const done = new Set();
  /** @param {string} file @param {string[]} way */
  const visit = (file, way) => {
    const module = /** @type {Module} */ (all.get(file));
    if (done.has(module)) return;
    if (way.includes(file)) {
      const circle = [...way.slice(way.indexOf(file)), file].join(", ");
      throw new LabFilesError(
        `files of code/${milestone} import each other in a circle, which a lab can't run: ${circle}`,
      );
    }
    for (const { specifier, target, names } of module.imports) {
      if (target !== null) {
        visit(target, [...way, file]);
        continue;
      }
      const known = Object.hasOwn(standIns, specifier) ? standIns[specifier].names : [];
      const unknown = names.filter((name) => !known.includes(name));
      if (known.length > 0 && unknown.length === 0) continue;
      throw new LabFilesError(
        `code/${milestone}/${file} imports ${unknown.join(", ") || "all"} of ${specifier}, which no ` +
          "page has: a lab can't run it without a stand-in in tools/lib/lab-stand-ins.js",
      );
    }
    done.add(module);
  };
  for (const entry of entries) visit(entry, []);
  return [...done];
}

/**
 * A readable name must not be one that the files use already, and must not
 * meet that of a class above or below.
 *
 * @param {Module[]} files
 * @param {string} milestone
 */
function checkPrivateNames(files, milestone) {
  const names = new Set(files.flatMap(({ privateNames }) => [...privateNames]));
  const readable = new Set([...names].map(readableName));
  for (const { path: file, tree } of files) {
    for (const node of nodesOf(tree)) {
      const used = node.type === "Identifier" ? node.name : node.value;
      if (readable.has(used)) {
        throw new LabFilesError(`code/${milestone}/${file} has a name ${used} of its own`);
      }
    }
  }
  /** @type {Map<string, number>} */
  const owners = new Map();
  const classes = files.flatMap(({ tree }) => nodesOf(tree).filter(({ body }) => isClass(body)));
  for (const { body } of classes) {
    for (const name of privateMembers(body)) owners.set(name, (owners.get(name) ?? 0) + 1);
  }
  for (const { superClass, body } of classes) {
    if (!superClass) continue;
    const shared = privateMembers(body).find((name) => (owners.get(name) ?? 0) > 1);
    if (shared === undefined) continue;
    throw new LabFilesError(
      `code/${milestone}: a class that extends another has a #${shared}, and so has another class`,
    );
  }
}

/** @param {any} body */
function isClass(body) {
  return body?.type === "ClassBody";
}

/**
 * @param {any} body of a class
 * @returns {string[]} the names of its private members, each once
 */
function privateMembers(body) {
  const keys = body.body.map((/** @type {any} */ { key }) => key);
  const names = keys
    .filter((/** @type {any} */ key) => key?.type === "PrivateIdentifier")
    .map((/** @type {any} */ { name }) => name);
  return [...new Set(/** @type {string[]} */ (names))];
}

/**
 * @param {Module} module
 * @returns {LabFile}
 */
function toLabFile({ path: file, text, tree, imports }) {
  const nodes = nodesOf(tree);
  // `#root in thing` asks for a name: without the sign it is a string.
  const asked = new Set(nodes.filter(({ operator }) => operator === "in").map(({ left }) => left));
  const edits = nodes
    .filter(({ type }) => type === "PrivateIdentifier")
    .map((node) => {
      const name = readableName(`#${node.name}`);
      return { start: node.start, end: node.end, text: asked.has(node) ? `"${name}"` : name };
    });
  /** @type {(string | { file: string })[]} */
  const parts = [];
  let done = 0;
  let written = "";
  /** @type {{ start: number, end: number, text: string, file?: string }[]} */
  const all = [
    ...edits,
    ...imports.map(({ start, end, target, specifier }) => {
      return { start, end, text: "", file: target ?? specifier };
    }),
  ];
  for (const edit of all.sort((a, b) => a.start - b.start)) {
    written += text.slice(done, edit.start) + edit.text;
    done = edit.end;
    if (edit.file !== undefined) {
      parts.push(written, { file: edit.file });
      written = "";
    }
  }
  return { path: file, parts: [...parts, written + text.slice(done)] };
}

/**
 * The names of the states that a parser can be in, by their values: all that
 * `#state` is set to or compared with.
 *
 * @param {Module[]} files
 * @returns {string[]}
 */
function statesOf(files) {
  const nodes = files.flatMap(({ tree }) => nodesOf(tree));
  const isState = (/** @type {any} */ node) =>
    node?.type === "MemberExpression" && node.property.name === "state";
  const named = nodes.flatMap((node) => {
    if (node.type === "SwitchStatement" && isState(node.discriminant)) {
      return node.cases.map((/** @type {any} */ { test }) => test);
    }
    if (isState(node.left)) return [node.right, node.right.consequent, node.right.alternate];
    return [];
  });
  const names = new Set(named.map((node) => node?.name));
  /** @type {string[]} */
  const states = [];
  for (const { type, id, init } of nodes) {
    const isNamed = type === "VariableDeclarator" && names.has(id.name);
    if (isNamed && typeof init?.value === "number") states[init.value] = id.name;
  }
  return states;
}

/**
 * @param {any} tree
 * @returns {any[]} every node of it
 */
function nodesOf(tree) {
  if (tree === null || typeof tree !== "object") return [];
  if (Array.isArray(tree)) return tree.flatMap(nodesOf);
  const below = Object.values(tree).flatMap(nodesOf);
  return typeof tree.type === "string" ? [tree, ...below] : below;
}

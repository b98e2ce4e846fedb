import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { renderFigure } from "../../assets/figures/lib.js";

/** @import { Figure } from "../../assets/figures/lib.js" */

/**
 * A file that a script draws.
 *
 * @typedef {{ file: string, svg: string }} Drawing
 */

/**
 * Runs every figure's script: all of the folder's but lib.js, which they
 * share.
 *
 * @param {string} folder
 * @returns {Promise<Drawing[]>}
 */
export async function drawFigures(folder) {
  const scripts = readdirSync(folder).filter((name) => name.endsWith(".js") && name !== "lib.js");
  const drawings = [];
  for (const script of scripts.sort()) {
    const module = await import(pathToFileURL(path.join(folder, script)).href);
    const made = typeof module.default === "function" ? await module.default() : module.default;
    for (const figure of /** @type {Figure[]} */ ([made].flat())) {
      drawings.push(...renderFigure({ name: path.basename(script, ".js"), ...figure }));
    }
  }
  return drawings;
}

/**
 * The files that aren't what their scripts draw, and those that no script
 * draws.
 *
 * @param {string} folder
 * @param {Drawing[]} drawings
 * @returns {{ file: string, reason: "new" | "changed" | "drawn by no script" }[]}
 */
export function outdatedFigures(folder, drawings) {
  const present = new Set(readdirSync(folder).filter((name) => name.endsWith(".svg")));
  const outdated = [];
  for (const { file, svg } of drawings) {
    if (!present.delete(file)) outdated.push({ file, reason: /** @type {const} */ ("new") });
    else if (readFileSync(path.join(folder, file), "utf8") !== svg) {
      outdated.push({ file, reason: /** @type {const} */ ("changed") });
    }
  }
  for (const file of present) {
    outdated.push({ file, reason: /** @type {const} */ ("drawn by no script") });
  }
  return outdated;
}

/**
 * @param {string} folder
 * @param {Drawing[]} drawings
 * @param {{ file: string }[]} outdated
 */
export function writeFigures(folder, drawings, outdated) {
  for (const { file } of outdated) {
    const drawing = drawings.find((each) => each.file === file);
    if (drawing) writeFileSync(path.join(folder, file), drawing.svg);
    else rmSync(path.join(folder, file));
  }
}

/**
 * Prints the book's tables of npm's middleware; npm.test.js tries each line.
 *
 *     node table.js           what those do that need a word
 *     node table.js --engine  what each does otherwise on velocy's own engine
 */
import { readFileSync } from "node:fs";
import { PACKAGES } from "./packages.js";

const file = new URL("package.json", import.meta.url);
const { dependencies } = JSON.parse(readFileSync(file, "utf8"));

if (process.argv.includes("--engine")) {
  console.log("| Package | On the engine |");
  console.log("| --- | --- |");
  for (const { name, use, onEngine = "as on `node:http`" } of PACKAGES) {
    if (use) console.log(`| ${name} ${dependencies[name]} | ${onEngine} |`);
  }
} else {
  console.log("| Package | How | What it does |");
  console.log("| --- | --- | --- |");
  for (const { name, use, how = "doesn't run", note, isPlain } of PACKAGES) {
    if (isPlain) continue;
    const used = use ? `\`${use}\`` : how;
    console.log(`| ${name} ${dependencies[name]} | ${used} | ${note} |`);
  }
}

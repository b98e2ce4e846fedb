/** Prints the book's table of npm's middleware; npm.test.js tries each line. */
import { readFileSync } from "node:fs";
import { PACKAGES } from "./packages.js";

const file = new URL("package.json", import.meta.url);
const { dependencies } = JSON.parse(readFileSync(file, "utf8"));

console.log("| Package | How | What it does |");
console.log("| --- | --- | --- |");
for (const { name, use, note } of PACKAGES) {
  const how = use ? `\`${use}\`` : "doesn't run";
  console.log(`| ${name} ${dependencies[name]} | ${how} | ${note} |`);
}

/**
 * `npm run lint`: links, format, lint, types, spelling and Markdown. With --write it
 * puts right what a program can.
 */
import { runMain } from "./lib/main.js";
import { ensureDependencies, root } from "./lib/setup.js";

/** @returns {Promise<number>} the exit code */
async function main() {
  await ensureDependencies();
  const { lint } = await import("./lib/linters.js");
  const fixes = process.argv.includes("--write");
  let failed = 0;
  for await (const { title, isClean, output } of lint(root, { fixes })) {
    console.log(`${isClean ? "ok  " : "FAIL"} ${title}`);
    if (isClean) continue;
    failed++;
    console.log(`\n${output}\n`);
  }
  return failed === 0 ? 0 : 1;
}

await runMain(main);

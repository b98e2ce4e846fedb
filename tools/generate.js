/**
 * `npm run generate`: writes the numbers and blocks of the book that come from
 * result files and scripts anew. With `-- --check` it only compares.
 */
import { runMain } from "./lib/main.js";
import { ensureDependencies, ensurePinnedNode, root, SetupError } from "./lib/setup.js";

/** @returns {Promise<number>} the exit code */
async function main() {
  const args = process.argv.slice(2);
  const isCheck = args.includes("--check");
  const unknown = args.find((arg) => arg !== "--check");
  if (unknown) {
    throw new SetupError(
      `\`${unknown}\` is nothing I know. \`npm run generate\` writes, ` +
        "`npm run generate -- --check` compares.",
    );
  }
  await ensureDependencies();
  const node = await ensurePinnedNode();
  const { generate } = await import("./generate/generate.js");
  const { checked, changed, problems } = await generate({ root, node, writes: !isCheck });
  for (const problem of problems) console.error(`${problem}\n`);
  if (isCheck) {
    for (const problem of changed) console.error(`${problem}\n`);
    if (changed.length > 0) console.error("`npm run generate` writes them.\n");
    const failed = problems.length + changed.length;
    console.log(`${checked - failed} passed, ${failed} failed`);
    return failed > 0 ? 1 : 0;
  }
  for (const { file, line } of changed) console.log(`wrote ${file}:${line}`);
  console.log(`${checked} numbers and blocks, ${changed.length} of them changed`);
  return problems.length > 0 ? 1 : 0;
}

await runMain(main);

/**
 * `npm run types [-- FOLDER]`: makes TypeScript's declarations of the newest
 * milestone from its JSDoc, in FOLDER or in types/.
 */
import { existsSync, rmSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { emitDeclarations } from "./lib/declarations.js";
import { runMain } from "./lib/main.js";
import { listMilestones } from "./lib/milestones.js";
import { ensureDependencies, root } from "./lib/setup.js";
import { UserError } from "./lib/user-error.js";

/** @returns {Promise<number>} the exit code */
async function main() {
  await ensureDependencies();
  const packages = listMilestones(root).filter(({ folder }) =>
    existsSync(join(folder, "index.js")),
  );
  const newest = packages.at(-1);
  if (newest === undefined) {
    throw new UserError("There is no milestone with an index.js to make declarations of.");
  }
  const folder = resolve(process.argv[2] ?? join(root, "types"));
  if (process.argv[2] === undefined) rmSync(folder, { recursive: true, force: true });
  const { output, isClean } = await emitDeclarations(newest.folder, folder);
  if (!isClean) throw new UserError(`${newest.name} has errors in its types.`, output);
  console.log(`declarations of ${newest.name} are in ${relative(process.cwd(), folder) || "."}`);
  return 0;
}

await runMain(main);

/**
 * `npm run figures`: draws the figures of assets/figures. With `-- --check` it
 * writes nothing and fails when a file isn't what its script draws.
 */

import path from "node:path";
import { runMain } from "./lib/main.js";

runMain(async () => {
  const { ensureDependencies, root } = await import("./lib/setup.js");
  await ensureDependencies();
  const { drawFigures, outdatedFigures, writeFigures } = await import("./lib/figures.js");
  const folder = path.join(root, "assets", "figures");
  const figures = await drawFigures(folder);
  const outdated = outdatedFigures(folder, figures);
  if (process.argv.includes("--check")) {
    for (const { file, reason } of outdated) console.error(`assets/figures/${file}: ${reason}`);
    if (outdated.length > 0) console.error("`npm run figures` draws them.");
    return outdated.length > 0 ? 1 : 0;
  }
  writeFigures(folder, figures, outdated);
  for (const { file, reason } of outdated) console.log(`assets/figures/${file} (${reason})`);
  console.log(`${figures.length} figures, ${outdated.length} of them changed.`);
  return 0;
});

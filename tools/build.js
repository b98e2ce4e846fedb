/** `npm run build [-- FOLDER]`: builds the book into book/, or into FOLDER. */

import path from "node:path";
import { runMain } from "./lib/main.js";

runMain(async () => {
  const { buildBook } = await import("./lib/mdbook.js");
  const { ensureDependencies, root } = await import("./lib/setup.js");
  const destination = path.resolve(process.argv[2] ?? path.join(root, "book"));
  await ensureDependencies();
  await buildBook({ destination });
  console.log(`The book is in ${path.relative(process.cwd(), destination) || "."}`);
  return 0;
});

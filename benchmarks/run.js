#!/usr/bin/env node
/**
 * `npm run bench`: sees to it that the packages are there, in a clone that is
 * new too, and then does what the command line says.
 */
import process from "node:process";
import { ensureDependencies } from "../tools/lib/setup.js";
import { UserError } from "../tools/lib/user-error.js";

try {
  await ensureDependencies();
  await import("./command.js");
} catch (err) {
  if (!(err instanceof UserError)) throw err;
  if (err.output) console.error(err.output.trimEnd());
  console.error(err.message);
  process.exitCode = 1;
}

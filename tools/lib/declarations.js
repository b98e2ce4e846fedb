import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { root } from "./setup.js";

/**
 * Makes TypeScript's declarations of a milestone's package from its JSDoc,
 * checked strictly on the way.
 *
 * @param {string} milestone  its folder
 * @param {string} folder  where the .d.ts files go
 * @returns {Promise<{ isClean: boolean, output: string }>} what tsc said
 */
export function emitDeclarations(milestone, folder) {
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const options = [
    ["--ignoreConfig", "--allowJs", "--checkJs", "--skipLibCheck"],
    ["--strict", "--noImplicitAny", "false"],
    ["--declaration", "--emitDeclarationOnly", "--outDir", folder, "--rootDir", milestone],
    ["--target", "es2023", "--module", "nodenext", "--types", "node"],
  ];
  return new Promise((resolve) => {
    const entrances = ["index.js", "testing.js"].map((name) => join(milestone, name));
    const args = [tsc, ...options.flat(), ...entrances.filter((file) => existsSync(file))];
    execFile(process.execPath, args, { cwd: root }, (err, stdout, stderr) => {
      resolve({ isClean: err === null, output: `${stdout}${stderr}` });
    });
  });
}

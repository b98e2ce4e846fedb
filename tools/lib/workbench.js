import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

/** @import { Milestone } from "./milestones.js" */

/** Never copied: what a milestone adds by hand, and what isn't the reader's own. */
const LEFT_OUT = ["node_modules", ".git", "test", "solutions"];

/** @type {Set<string>} */
const folders = new Set();

process.once("exit", () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/**
 * Lays files out as a milestone in a temporary folder, with that chapter's
 * tests, so that they can be run on files from somewhere else:
 *
 *     code/chNN-slug/        the files
 *     code/chNN-slug/test/   the milestone's tests
 *     code/contracts         a link
 *     tools                  a link
 *     node_modules           a link
 *
 * @param {string} root  the repository's root
 * @param {Milestone} milestone
 * @param {string[]} sources  folders to take files from; later ones win
 * @returns {{ folder: string, remove: () => void }} the folder `code/chNN-slug`
 */
export function makeWorkbench(root, milestone, sources) {
  const top = mkdtempSync(join(realpathSync(tmpdir()), "check-"));
  folders.add(top);
  const folder = join(top, "code", milestone.name);
  mkdirSync(folder, { recursive: true });
  for (const source of sources) {
    cpSync(source, folder, {
      recursive: true,
      filter: (path) => path === source || !isLeftOut(path, source),
    });
  }
  cpSync(join(milestone.folder, "test"), join(folder, "test"), { recursive: true });
  for (const shared of ["code/contracts", "tools", "node_modules"]) {
    const target = join(root, shared);
    if (existsSync(target)) symlinkSync(target, join(top, shared), "dir");
  }
  return {
    folder,
    remove() {
      rmSync(top, { recursive: true, force: true });
      folders.delete(top);
    },
  };
}

/**
 * @param {string} path
 * @param {string} source
 */
function isLeftOut(path, source) {
  const name = basename(path);
  const isAtTop = path === join(source, name);
  return name === "node_modules" || (isAtTop && LEFT_OUT.includes(name));
}

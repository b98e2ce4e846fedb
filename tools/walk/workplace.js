import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { reservePorts } from "./ports.js";

/** @import { Build } from "../book/build.js" */

/** What the book prints where the reader's folder would stand. */
export const READERS_FOLDER = "/home/you/velocy";

/** Folders to remove when the walker ends, however it ends. @type {Set<string>} */
const folders = new Set();

process.once("exit", () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/**
 * A temporary folder in which a chapter is worked through, with ports and an
 * environment of its own.
 *
 * @typedef {object} Workplace
 * @property {string} folder  the reader's folder
 * @property {import("./ports.js").PortBlock} ports
 * @property {NodeJS.ProcessEnv} env
 * @property {(output: string) => string} asReader  what was printed, as the
 *   reader would see it
 * @property {() => void} remove
 */

/**
 * Makes the folder as the reader has it before the chapter.
 *
 * @param {Build} build
 * @param {{ root: string, node: string }} options  the repository's root, and
 *   the path of the Node.js to run
 * @returns {Promise<Workplace>}
 */
export async function makeWorkplace(build, { root, node }) {
  const { chapter, start } = build;
  const top = mkdtempSync(join(realpathSync(tmpdir()), "walk-"));
  folders.add(top);
  const folder = join(top, chapter.milestone ?? chapter.name);
  const home = join(top, "home");
  mkdirSync(folder);
  mkdirSync(home);
  // As curl behaves on a terminal, and with a version of the same length
  // everywhere.
  writeFileSync(
    join(home, ".curlrc"),
    'silent\nshow-error\nuser-agent = "curl/8.14.1"\nno-buffer\n',
  );
  const contracts = join(root, "code/contracts");
  if (existsSync(contracts)) symlinkSync(contracts, join(top, "contracts"));
  for (const path of start.paths) writeInto(folder, path, start.text(path));
  if (hasPackages(build)) symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));

  const ports = await reservePorts(chapter.text);
  return {
    folder,
    ports,
    env: {
      PATH: [dirname(node), process.env.PATH].join(delimiter),
      PORT: String(ports.port),
      HOME: home,
      TMPDIR: top,
      LANG: "C.UTF-8",
      TZ: "UTC",
      NO_COLOR: "1",
    },
    asReader: (output) =>
      ports.toBookPorts(output.replaceAll(folder, READERS_FOLDER)).replaceAll("\r\n", "\n"),
    remove() {
      ports.release();
      rmSync(top, { recursive: true, force: true });
      folders.delete(top);
    },
  };
}

/**
 * Whether the chapter's package.json names packages of npm. The reader installs
 * them; here they are those of the repository.
 *
 * @param {Build} build
 */
function hasPackages({ files }) {
  const text = files.has("package.json") ? files.text("package.json") : "{}";
  return "dependencies" in JSON.parse(text);
}

/**
 * Writes a file, and the folders on the way to it.
 *
 * @param {string} folder
 * @param {string} path
 * @param {string} text
 */
export function writeInto(folder, path, text) {
  const target = join(folder, path);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, text);
}

/** Programs that a bare system may lack, and how to get them. */

import { accessSync, constants, existsSync, readdirSync } from "node:fs";
import path from "node:path";

/** Packages of Debian, Fedora and Homebrew, where they aren't named as the program is. */
const PACKAGES =
  /** @type {Record<string, { debian: string, fedora: string, macos?: string }>} */ ({
    mkfifo: { debian: "coreutils", fedora: "coreutils", macos: "coreutils" },
    ps: { debian: "procps", fedora: "procps-ng" },
    go: { debian: "golang", fedora: "golang", macos: "go" },
    gofmt: { debian: "golang", fedora: "golang", macos: "go" },
    haproxy: { debian: "haproxy", fedora: "haproxy", macos: "haproxy" },
    initdb: { debian: "postgresql", fedora: "postgresql-server", macos: "postgresql@15" },
    memccapable: { debian: "libmemcached-tools", fedora: "libmemcached-awesome-tools" },
    psql: { debian: "postgresql", fedora: "postgresql-server", macos: "postgresql@15" },
    "redis-server": { debian: "redis-server", fedora: "redis", macos: "redis" },
    "redis-cli": { debian: "redis-tools", fedora: "redis", macos: "redis" },
  });

/** Folders of programs that a system keeps out of PATH, a folder for each version. */
const OUT_OF_PATH = /** @type {Record<string, string>} */ ({ initdb: "/usr/lib/postgresql" });

/** What a reason to skip a test says when the machine lacks something. */
const LACKING = "is not on this machine";

/**
 * Why something can't be done here: the first of these programs that isn't on
 * PATH, with the way to install it.
 *
 * @param {...string} names
 * @returns {string | false} a sentence, or false when all are there; as
 *   node:test's `skip` takes it
 */
export function lacks(...names) {
  const name = names.find((each) => !isHere(each));
  if (name === undefined) return false;
  const { debian, fedora, macos } = PACKAGES[name] ?? { debian: name, fedora: name, macos: name };
  const ways = [
    `apt-get install ${debian} (Debian, Ubuntu)`,
    `dnf install ${fedora} (Fedora)`,
    ...(macos ? [`brew install ${macos} (macOS)`] : []),
  ];
  return `${name} ${LACKING}: ${ways.join(", ")}`;
}

/**
 * Whether a note of a stage says that something is missing here. CI takes
 * that for a failure.
 *
 * @param {string} note
 */
export function isAboutLacking(note) {
  return note.includes(LACKING);
}

/** @param {string} name */
function isHere(name) {
  const folders = (process.env.PATH ?? "").split(path.delimiter).filter(Boolean);
  return [...folders, ...versionsOf(OUT_OF_PATH[name])].some((folder) => {
    try {
      accessSync(path.join(folder, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** @param {string} [parent] */
function versionsOf(parent) {
  if (parent === undefined || !existsSync(parent)) return [];
  return readdirSync(parent).map((version) => path.join(parent, version, "bin"));
}

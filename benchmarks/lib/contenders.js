import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { listMilestones } from "../../tools/lib/milestones.js";
import { pinnedVersion } from "../../tools/lib/node-version.js";
import { ensureDependencies, ensurePinnedNode } from "../../tools/lib/setup.js";
import { makeCertificate } from "./certificate.js";
import { asDocumented } from "./contract.js";
import { benchError } from "./errors.js";
import { writeFiles } from "./files.js";
import { outputOf } from "./machine.js";
import { contendersFolder, milestonesFolder, root, runtimesFolder, workFolder } from "./paths.js";
import { runToEnd } from "./processes.js";

/** @import { Contract } from "./contract.js" */
/** @import { Program } from "./measure.js" */

/**
 * What stands in a contender's contender.json.
 *
 * @typedef {object} Definition
 * @property {string} title
 * @property {"then" | "now" | "control"} stack
 * @property {string} runtime a folder of runtimes/; `node-26` for the Node.js
 *   that the book pins; `native` for a crate; `go` for a module without others;
 *   `c` for a program that cc compiles; `system` for a shell script that
 *   starts the system's own `package`
 * @property {string} single the program that serves from one process
 * @property {string} [closing] the program for clients that want each
 *   connection closed, where `single` says that it stays open whatever CLOSING
 *   says
 * @property {"documented"} [form] written as its documentation has it, so that
 *   it is held to asDocumented(); without it an answer is made by hand
 * @property {"node" | "bun" | "native"} [cluster] how it serves from several:
 *   node:cluster, SO_REUSEPORT, or threads of its own
 * @property {string} [package] the npm package or crate whose version counts
 * @property {string} [of] the contender whose program it runs, with another
 *   runtime or in another environment; what it doesn't say itself is taken
 *   from there
 * @property {boolean} [isComplete] false when it isn't a whole HTTP server
 * @property {string} [milestone] a folder of code/, or `newest`; its package
 *   is what the program imports
 * @property {{ before: string, single: string }[]} [older] programs for
 *   milestones before a chapter, the oldest first
 * @property {string} [importedAs] the package's name there, else `velocy`
 * @property {boolean} [runsMilestone] the program is the milestone's own
 * @property {string[]} [systems] where it runs, as in process.platform, if
 *   not everywhere
 * @property {Record<string, string>} [env] more of the environment it runs in
 * @property {string} [note] what a reader has to know beside its figures
 */

/**
 * @typedef {Definition & { id: string, folder: string }} Contender
 */

/** The Node.js that the book's other programs run on too. */
const pinnedNode = `node-${parseInt(pinnedVersion, 10)}`;

/** The program of each folder of runtimes/. */
const runtimes = /** @type {Record<string, "node" | "bun">} */ ({
  "node-24": "node",
  "node-22": "node",
  "node-20.6": "node",
  "node-20": "node",
  "bun-1.4": "bun",
  "bun-0.8": "bun",
});

/**
 * @param {string} name
 * @returns {Promise<{ program: string, shown: string }>} the program's file,
 *   and what it is called
 * @throws {UserError}
 */
async function installRuntime(name) {
  if (name === pinnedNode) return { program: await ensurePinnedNode(), shown: "node" };
  const shown = runtimes[name];
  if (!shown) throw benchError("ERR_BENCH_CONTENDER", `There is no runtime ${name}.`);
  const folder = path.join(runtimesFolder, name);
  await installPackages(folder);
  return { program: path.join(folder, "node_modules/.bin", shown), shown };
}

/**
 * @returns {string[]} the names of the milestones that are the package velocy,
 *   oldest first
 */
export function velocyMilestones() {
  return listMilestones(root)
    .filter(({ folder }) => isVelocy(path.join(folder, "package.json")))
    .map(({ name }) => name);
}

/** @param {string} file a package.json */
function isVelocy(file) {
  return existsSync(file) && JSON.parse(readFileSync(file, "utf8")).name === "velocy";
}

/**
 * @param {string} id a folder of contenders/, or one with a milestone's
 *   number, as in `velocy@ch07`
 * @returns {Contender}
 * @throws {UserError} ERR_BENCH_CONTENDER when there is none of that name
 */
export function readContender(id) {
  const [name, chapter] = id.split("@");
  const folder = path.join(contendersFolder, name);
  const file = path.join(folder, "contender.json");
  if (!existsSync(file)) {
    throw benchError(
      "ERR_BENCH_CONTENDER",
      `There is no contender "${id}". There are: ${listContenders().join(", ")}.`,
    );
  }
  /** @type {Definition} */
  const definition = JSON.parse(readFileSync(file, "utf8"));
  if (definition.of !== undefined) return { ...readContender(definition.of), ...definition, id };
  if (chapter === undefined) return { ...definition, id, folder };
  const milestone = velocyMilestones().find((candidate) => candidate.startsWith(`${chapter}-`));
  if (!milestone) {
    throw benchError("ERR_BENCH_CONTENDER", `There is no milestone of chapter ${chapter} yet.`);
  }
  return { ...definition, id, folder, milestone, title: `velocy, ${chapter}` };
}

/** @returns {string[]} */
export function listContenders() {
  return readdirSync(contendersFolder)
    .filter((name) => existsSync(path.join(contendersFolder, name, "contender.json")))
    .sort();
}

/**
 * @param {Contender} contender
 * @returns {string | undefined} the milestone's folder, when it has one
 */
function milestoneFolder({ milestone }) {
  if (milestone === undefined) return undefined;
  const name = milestone === "newest" ? velocyMilestones().at(-1) : milestone;
  const folder = name && path.join(milestonesFolder, name);
  if (!folder || !existsSync(folder)) {
    throw benchError("ERR_BENCH_CONTENDER", `The milestone ${milestone} is not there yet.`);
  }
  return folder;
}

/**
 * @param {string} folder
 * @returns {string | undefined} a hash of what its lock file pins
 */
export function lockHash(folder) {
  for (const name of ["package-lock.json", "Cargo.lock"]) {
    const file = path.join(folder, name);
    if (existsSync(file)) return createHash("sha256").update(readFileSync(file)).digest("hex");
  }
  return undefined;
}

/**
 * A milestone's version says too little: its chapter may change.
 *
 * @param {string} folder
 * @returns {string} a hash of the program, without its tests and solutions
 */
export function hashMilestone(folder) {
  const hash = createHash("sha256");
  const library = readdirSync(path.join(folder, "lib"), { recursive: true });
  const files = [
    ...readdirSync(folder).map((name) => path.join(folder, name)),
    ...library.map((name) => path.join(folder, "lib", String(name))),
  ].filter((file) => /\.(?:js|json)$/.test(file));
  for (const file of files.sort()) hash.update(readFileSync(file));
  return hash.digest("hex");
}

/**
 * @param {string} folder
 * @throws {UserError} ERR_BENCH_MISSING
 */
export async function installPackages(folder) {
  if (!existsSync(path.join(folder, "package-lock.json"))) return;
  const title = `Installing ${path.relative(root, folder)}`;
  await ensureDependencies(folder, title).catch((cause) => {
    throw benchError("ERR_BENCH_MISSING", `${cause.message}\n${cause.output}`.trim(), { cause });
  });
}

/**
 * @param {Contender} contender
 * @param {(line: string) => void} say
 * @returns {Promise<string>} the program that cargo built
 */
async function buildCrate(contender, say) {
  const { folder } = contender;
  const target = path.join(workFolder, "cargo", path.basename(folder));
  const program = path.join(target, "release/server");
  const stamp = path.join(target, "bench-built");
  const sources = ["Cargo.lock", "Cargo.toml", "src/main.rs"].map((name) =>
    readFileSync(path.join(folder, name)),
  );
  const hash = createHash("sha256").update(Buffer.concat(sources)).digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === hash) return program;
  if (outputOf("cargo", ["--version"]) === undefined) {
    throw benchError(
      "ERR_BENCH_MISSING",
      "Rust's cargo is not on this machine (https://rustup.rs installs it).",
    );
  }
  say(`building ${contender.id} (cargo build --release --locked), a minute or two`);
  await runToEnd(["cargo", "build", "--release", "--locked", "--target-dir", target], {
    cwd: folder,
  });
  writeFileSync(stamp, hash);
  return program;
}

/**
 * @param {Contender} contender
 * @param {(line: string) => void} say
 * @returns {Promise<string>} the program that cc compiled
 */
async function compileC({ id, folder, single }, say) {
  const target = path.join(workFolder, "cc", path.basename(folder));
  const program = path.join(target, "server");
  if (outputOf("cc", ["--version"]) === undefined) {
    throw benchError(
      "ERR_BENCH_MISSING",
      "A C compiler, cc, is not on this machine: apt-get install gcc libc6-dev.",
    );
  }
  say(`compiling ${id} (cc -O2)`);
  mkdirSync(target, { recursive: true });
  await runToEnd(["cc", "-O2", "-Wall", "-Wextra", "-o", program, single], { cwd: folder });
  return program;
}

/**
 * @param {Contender} contender
 * @param {(line: string) => void} say
 * @returns {Promise<string>} the program that go built
 */
async function buildModule({ id, folder }, say) {
  const target = path.join(workFolder, "go", path.basename(folder));
  const program = path.join(target, "server");
  if (outputOf("go", ["version"]) === undefined) {
    throw benchError(
      "ERR_BENCH_MISSING",
      "Go is not on this machine: apt-get install golang, or https://go.dev/dl.",
    );
  }
  say(`building ${id} (go build)`);
  mkdirSync(target, { recursive: true });
  await runToEnd(["go", "build", "-o", program, "."], { cwd: folder });
  return program;
}

/**
 * Lays the contender's files beside a node_modules that holds the milestone,
 * so that the program can import it by name.
 *
 * @param {Contender} contender
 * @param {string} milestone its folder
 * @returns {string} the folder to run in
 */
function layOverMilestone(contender, milestone) {
  const folder = path.join(workFolder, "milestones", `${contender.id}-${path.basename(milestone)}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(path.join(folder, "node_modules"), { recursive: true });
  cpSync(contender.folder, folder, {
    recursive: true,
    filter: (source) => path.basename(source) !== "node_modules",
  });
  // A contender may have packages of npm's besides.
  const packages = path.join(contender.folder, "node_modules");
  const names = existsSync(packages) ? readdirSync(packages) : [];
  for (const name of names.filter((each) => !each.startsWith("."))) {
    symlinkSync(path.join(packages, name), path.join(folder, "node_modules", name), "dir");
  }
  symlinkSync(
    milestone,
    path.join(folder, "node_modules", contender.importedAs ?? "velocy"),
    "dir",
  );
  return folder;
}

/**
 * @typedef {object} Prepared a contender that is ready to be started
 * @property {Contender} contender
 * @property {Contract} [contract] what it is held to, if that isn't the suite's
 * @property {Program} program
 * @property {string[]} shownCommand without the paths of this machine
 * @property {string} version of the package or crate
 * @property {string} runtimeVersion
 * @property {string} [lockHash]
 * @property {string} [milestone]
 * @property {string} [milestoneHash] of its own files
 */

/** The programs that start WORKERS processes of another. */
const primaries = {
  node: fileURLToPath(new URL("node-cluster.js", import.meta.url)),
  bun: fileURLToPath(new URL("bun-cluster.js", import.meta.url)),
};

/**
 * @param {Contender} contender
 * @param {string | undefined} milestone its name
 * @param {Use} use
 * @returns {string[]} what to give the runtime
 */
function entryOf({ cluster, older, ...contender }, milestone, { workers, isClosing }) {
  const substitute = older?.find(({ before }) => milestone !== undefined && milestone < before);
  const whole = isClosing ? (contender.closing ?? contender.single) : contender.single;
  const single = substitute?.single ?? whole;
  if (workers === 1 || cluster === "native") return [single];
  if (cluster === undefined) {
    throw benchError("ERR_BENCH_CONTENDER", "It serves from one process only.");
  }
  return [primaries[cluster], single];
}

/**
 * @typedef {object} Use what a contender is needed for
 * @property {number} workers processes or threads that serve
 * @property {string} [name] of the suite; the floor looks for it in WORK
 * @property {Contract} [contract]
 * @property {boolean} [isClosing] each connection carries one request: CLOSING
 *   tells
 * @property {boolean} [servesFiles] it finds a folder of files in FILES
 */

/**
 * @param {Use} use
 * @returns {Promise<Record<string, string>>} what a server finds in its environment
 */
async function environmentOf({ name = "", workers, contract, isClosing, servesFiles }) {
  /** @type {Record<string, string>} */
  const env = { WORKERS: String(workers), NODE_ENV: "production", WORK: name };
  if (isClosing) env.CLOSING = "1";
  if (servesFiles) env.FILES = writeFiles();
  if (contract?.isSecure) {
    const { key, certificate } = await makeCertificate();
    Object.assign(env, { TLS_KEY: key, TLS_CERT: certificate });
  }
  return env;
}

/**
 * How a contender is started, and what can be said of it.
 *
 * @typedef {Omit<Prepared, "contender" | "contract" | "program"> &
 *   { command: string[], cwd?: string }} Launch
 */

/** @typedef {(line: string) => void} Say */

/**
 * Those that aren't programs of a runtime in JavaScript.
 *
 * @type {Record<string, (contender: Contender, entry: string[], say: Say) => Promise<Launch>>}
 */
const byRuntime = {
  async system(contender, entry) {
    const command = ["sh", ...entry];
    const version = systemVersion(contender);
    return { command, shownCommand: command, version, runtimeVersion: version };
  },
  async native(contender, _entry, say) {
    return {
      command: [await buildCrate(contender, say)],
      shownCommand: ["target/release/server"],
      version: crateVersion(contender),
      runtimeVersion: outputOf("rustc", ["--version"]) ?? "not known",
      lockHash: lockHash(contender.folder),
    };
  },
  async go(contender, _entry, say) {
    const command = [await buildModule(contender, say)];
    const compiler = /go(\S+)/.exec(outputOf("go", ["env", "GOVERSION"]) ?? "")?.[1];
    return {
      command,
      shownCommand: ["server"],
      version: "the runtime's own",
      runtimeVersion: compiler ?? "not known",
    };
  },
  async c(contender, _entry, say) {
    const command = [await compileC(contender, say)];
    const compiler = outputOf("cc", ["--version"])?.split("\n")[0] ?? "not known";
    return {
      command,
      shownCommand: ["server"],
      version: "its own",
      runtimeVersion: compiler,
    };
  },
};

/**
 * @param {Contender} contender
 * @param {string[]} entry
 * @param {string} [milestone] its folder
 * @returns {Promise<Launch>}
 */
async function prepareScript(contender, entry, milestone) {
  const { program, shown } = await installRuntime(contender.runtime);
  await installPackages(contender.folder);
  const runtimeVersion = outputOf(program, ["--version"]);
  if (runtimeVersion === undefined) {
    throw benchError("ERR_BENCH_MISSING", `${contender.runtime} does not run on this machine.`);
  }
  let cwd = contender.folder;
  if (milestone) cwd = contender.runsMilestone ? milestone : layOverMilestone(contender, milestone);
  return {
    command: [program, ...entry],
    cwd,
    shownCommand: [shown, ...entry.map((word) => path.basename(word))],
    version: packageVersion(contender, milestone),
    runtimeVersion: runtimeVersion.replace(/^v/, ""),
    lockHash: lockHash(contender.folder),
    ...(milestone
      ? { milestone: path.basename(milestone), milestoneHash: hashMilestone(milestone) }
      : {}),
  };
}

/**
 * Installs and builds what a contender needs.
 *
 * @param {Contender} contender
 * @param {Use} use
 * @param {Say} say what is being done
 * @returns {Promise<Prepared>}
 * @throws {UserError} when it can't be had on this machine, with the reason
 */
export async function prepare(contender, use, say) {
  const { workers, contract } = use;
  if (contender.systems && !contender.systems.includes(process.platform)) {
    throw benchError(
      "ERR_BENCH_CONTENDER",
      `It runs on ${contender.systems.join(" and ")} only, and this is ${process.platform}.`,
    );
  }
  const milestone = milestoneFolder(contender);
  const entry = entryOf(contender, milestone && path.basename(milestone), use);
  const make = byRuntime[contender.runtime];
  const launch = make
    ? await make(contender, entry, say)
    : await prepareScript(contender, entry, milestone);
  const { command, cwd = contender.folder, ...rest } = launch;
  const env = { ...(await environmentOf(use)), ...contender.env };
  return {
    contender,
    ...(contract && contender.form === "documented" ? { contract: asDocumented(contract) } : {}),
    program: { command, cwd, env, workers },
    ...rest,
  };
}

/**
 * @param {Contender} contender
 * @returns {string} what the program says of itself, to either output
 * @throws {UserError} ERR_BENCH_MISSING
 */
function systemVersion({ package: program = "" }) {
  const { stdout, stderr, error } = spawnSync(program, ["-v"], { encoding: "utf8" });
  if (error) {
    throw benchError(
      "ERR_BENCH_MISSING",
      `${program} is not on this machine: apt-get install ${program}, or brew install ${program}.`,
    );
  }
  return /\d+(?:\.\d+)+/.exec(`${stdout}${stderr}`)?.[0] ?? "not known";
}

/**
 * @param {Contender} contender
 * @returns {string}
 */
function crateVersion(contender) {
  const lock = readFileSync(path.join(contender.folder, "Cargo.lock"), "utf8");
  const pattern = new RegExp(`name = "${contender.package}"\\nversion = "([^"]+)"`);
  return pattern.exec(lock)?.[1] ?? "not known";
}

/**
 * @param {Contender} contender
 * @param {string | undefined} milestone
 * @returns {string}
 */
function packageVersion(contender, milestone) {
  if (milestone) {
    const file = path.join(milestone, "package.json");
    return (existsSync(file) && JSON.parse(readFileSync(file, "utf8")).version) || "no version";
  }
  if (contender.package === undefined) return "the runtime's own";
  const lock = JSON.parse(readFileSync(path.join(contender.folder, "package-lock.json"), "utf8"));
  return lock.packages[`node_modules/${contender.package}`].version;
}

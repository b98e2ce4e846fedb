import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import { createInterface } from "node:readline";
import { promisify } from "node:util";

const DEBIAN = "/usr/lib/postgresql";
const NOBODY = 65_534;
const TABLE = `CREATE TABLE users (
  id serial PRIMARY KEY,
  email varchar(255) NOT NULL,
  password varchar(255) NOT NULL
)`;
const run = promisify(execFile);

// Debian keeps Postgres's programs out of PATH, in a folder per version.
// One that holds no more than the client has no initdb.
function folderOfPrograms() {
  const versions = fs.existsSync(DEBIAN) ? fs.readdirSync(DEBIAN) : [];
  const [newest] = versions
    .filter((each) => fs.existsSync(`${DEBIAN}/${each}/bin/initdb`))
    .sort((a, b) => Number(b) - Number(a));
  return newest === undefined ? "" : `${DEBIAN}/${newest}/bin/`;
}

async function makeFolder(programs) {
  const folder = fs.mkdtempSync("/tmp/velocy-postgres-");
  const options = { cwd: folder, uid: process.getuid() };
  if (options.uid === 0) {
    // Postgres refuses to run as root.
    options.uid = NOBODY;
    options.gid = NOBODY;
    fs.chownSync(folder, NOBODY, NOBODY);
  }
  const words = ["--username=postgres", "--auth=trust", "--no-sync"];
  words.push(`--pgdata=${folder}/data`, "--encoding=UTF8", "--locale=C");
  try {
    await run(`${programs}initdb`, words, options);
  } catch (err) {
    fs.rmSync(folder, { recursive: true });
    throw err;
  }
  return { folder, options };
}

/**
 * Makes a database in a new folder, and starts a server for it.
 *
 * @param {{ port: number, fsync?: boolean }} options with `fsync: false`
 *   no commit waits for the disk
 */
export async function startPostgres({ port, fsync = true }) {
  const programs = folderOfPrograms();
  const { folder, options } = await makeFolder(programs);
  const settings = [`port=${port}`, "listen_addresses=localhost"];
  settings.push("unix_socket_directories=", "max_connections=300");
  settings.push(`fsync=${fsync ? "on" : "off"}`);
  const words = ["-D", `${folder}/data`];
  for (const setting of settings) words.push("-c", setting);
  const server = spawn(`${programs}postgres`, words, {
    ...options,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = once(server, "exit");
  const stop = async () => {
    // SIGINT ends its connections; SIGTERM would wait for them.
    server.kill("SIGINT");
    await ended;
    fs.rmSync(folder, { recursive: true, force: true });
  };
  const said = [];
  for await (const line of createInterface(server.stderr)) {
    said.push(line);
    if (line.includes("ready to accept connections")) break;
  }
  server.stderr.resume();
  const url = `postgres://postgres@localhost:${port}/postgres`;
  if (!said.at(-1)?.includes("ready to accept")) {
    fs.rmSync(folder, { recursive: true });
    throw new Error(`Postgres has not started:\n${said.join("\n")}`);
  }
  const command = ["--no-psqlrc", "--quiet", "--command", TABLE, url];
  try {
    await run(`${programs}psql`, command);
  } catch (err) {
    await stop();
    throw err;
  }
  return { url, pid: server.pid, stop };
}

import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/**
 * @typedef {import("./cases/building-blocks.js").Limits} Limits
 *
 * @typedef {object} RunningServer
 * @property {number} port
 * @property {string} [host] localhost unless said
 * @property {number} [pid] of a program
 * @property {() => Promise<void>} close resolves when it is gone
 *
 * @typedef {((options: { limits: Limits }) => Promise<RunningServer>)
 *   & { takesLimits?: boolean }} Start
 *   takesLimits: false for a server that can't be told its limits; cases
 *   that set some are then skipped
 */

/** How long a program may take to say that it listens, in milliseconds. */
const START_TIMEOUT = 10_000;

/**
 * Starts `node server.js` in a milestone's folder, on a free port.
 *
 * @param {string | URL} folder
 * @param {string} [file] the program, in that folder
 * @returns {Start} its server has the limits that it has: cases that set
 *   others are left out
 */
export function startProgram(folder, file = "server.js") {
  const cwd = folder instanceof URL ? fileURLToPath(folder) : folder;
  const start = async () => {
    const program = spawn(process.execPath, [file], {
      cwd,
      env: { ...process.env, PORT: "0" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const close = async () => {
      if (program.exitCode !== null || program.signalCode !== null) return;
      program.kill();
      await once(program, "exit");
    };
    try {
      return { port: await portOf(program, file), pid: program.pid, close };
    } catch (error) {
      await close();
      throw error;
    }
  };
  return Object.assign(start, { takesLimits: false });
}

/**
 * @param {import("node:child_process").ChildProcessByStdio<
 *   null, import("node:stream").Readable, import("node:stream").Readable
 * >} program
 * @param {string} file
 * @returns {Promise<number>}
 */
function portOf(program, file) {
  return new Promise((resolve, reject) => {
    let printed = "";
    const fail = (/** @type {string} */ what) =>
      reject(new Error(`${file} ${what}; it printed:\n${printed}`));
    const timer = setTimeout(() => {
      fail("did not print `listening on http://localhost:<port>`");
    }, START_TIMEOUT);
    for (const stream of [program.stdout, program.stderr]) {
      stream.setEncoding("utf8");
      stream.on("data", (text) => {
        printed += text;
        const match = /listening on http:\/\/localhost:(\d+)/.exec(printed);
        if (!match) return;
        clearTimeout(timer);
        resolve(Number(match[1]));
      });
    }
    program.once("exit", (code, signal) => {
      clearTimeout(timer);
      fail(`ended with ${signal ?? `code ${code}`}`);
    });
  });
}

/**
 * Starts a server inside this process.
 *
 * @param {(options: { limits: Limits }) => import("node:net").Server} create
 *   makes a server that does not listen yet
 * @returns {Start}
 */
export function startServer(create) {
  return async ({ limits }) => {
    const server = create({ limits });
    /** @type {Set<import("node:net").Socket>} */
    const sockets = new Set();
    server.on("connection", (socket) => {
      sockets.add(socket);
      socket.once("close", () => sockets.delete(socket));
    });
    server.listen(0);
    await once(server, "listening");
    const { port } = /** @type {import("node:net").AddressInfo} */ (
      server.address()
    );
    const close = async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    };
    return { port, close };
  };
}

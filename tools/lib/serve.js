import { spawn } from "node:child_process";
import { connect } from "node:net";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { serveBook } from "./book-server.js";
import { ensureMdbook } from "./mdbook.js";
import { findFreePort, nextFreePort, portOwner } from "./ports.js";
import { ensureDependencies, root } from "./setup.js";
import { UserError } from "./user-error.js";

const usualPort = 3000;

/**
 * Sets up what is missing, then builds and serves the book until it is
 * interrupted. mdBook watches the chapters, and the folders that book.toml
 * names beside them, and has open pages reload. What answers for the pages is
 * the framework that the book makes.
 *
 * @param {{ book?: string }} [options] the folder that holds book.toml
 * @returns {Promise<number>} the exit code
 * @throws {UserError}
 */
export async function serve({ book = root } = {}) {
  await ensureDependencies();
  const mdbook = await ensureMdbook();
  const port = await choosePort();
  console.log("Building the book ...");
  const mdbookPort = await findFreePort();
  const server = startServer(mdbook, mdbookPort, book);
  const isUp = await waitForServer(mdbookPort, server);
  if (isUp) {
    await serveBook({ pages: path.join(book, "book"), port, mdbookPort });
    console.log(`The book is at http://localhost:${port} and changes with its files.`);
    console.log("The server is the book's own: velocy 0.14.0 of chapter 14.");
    console.log("Ctrl-C ends this.");
    if (port === usualPort) {
      console.log(
        `The servers that you will build listen on ${usualPort} too. To have the book out of ` +
          "their way, start it with PORT=4000 npm start.",
      );
    }
  }
  await server.ended;
  throw new UserError(isUp ? "mdBook has ended." : "The book could not be served.");
}

/**
 * The port to serve on: PORT or the usual one, or the next that is free.
 *
 * @throws {UserError} when PORT is no port
 */
async function choosePort() {
  const wanted = Number(process.env.PORT || usualPort);
  if (!Number.isInteger(wanted) || wanted < 0 || wanted > 65_535) {
    throw new UserError(
      `PORT=${process.env.PORT} is no port: it takes a number up to 65535, or 0 for any.`,
    );
  }
  const port = await nextFreePort(wanted || usualPort);
  if (wanted !== 0 && port !== wanted) {
    const owner = portOwner(wanted);
    console.log(`Port ${wanted} is taken${owner ? ` by ${owner}` : ""}; taking ${port}.`);
  }
  return port;
}

/**
 * @param {string} mdbook
 * @param {number} port
 * @param {string} book
 */
function startServer(mdbook, port, book) {
  const args = ["serve", "--hostname", "localhost", "--port", String(port), book];
  // Of mdBook's own messages those are shown that ask for something to be done.
  const env = { ...process.env, MDBOOK_LOG: process.env.MDBOOK_LOG ?? "warn" };
  const child = spawn(mdbook, args, { env, stdio: ["ignore", "inherit", "inherit"] });
  // Ctrl-C in a terminal reaches mdBook by itself, a kill of this process not.
  process.once("exit", () => child.kill("SIGTERM"));
  const server = {
    isRunning: true,
    /** @type {Promise<void>} */
    ended: new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("close", () => {
        server.isRunning = false;
        resolve();
      });
    }),
  };
  return server;
}

/**
 * @param {number} port
 * @param {{ isRunning: boolean }} server
 * @returns {Promise<boolean>} whether the server came to listen on the port
 */
async function waitForServer(port, server) {
  while (server.isRunning) {
    if (await canConnect(port)) return true;
    await sleep(100);
  }
  return false;
}

/**
 * @param {number} port
 * @returns {Promise<boolean>}
 */
function canConnect(port) {
  return new Promise((resolve) => {
    const socket = connect(port, "localhost");
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}

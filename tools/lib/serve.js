import { spawn } from "node:child_process";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { ensureMdbook } from "./mdbook.js";
import { nextFreePort, portOwner } from "./ports.js";
import { ensureDependencies, root, SetupError } from "./setup.js";

const usualPort = 3000;

/**
 * Sets up what is missing, then builds and serves the book until it is
 * interrupted. mdBook watches the chapters, and the folders that book.toml
 * names beside them, and has open pages reload.
 */
export async function serve() {
  try {
    await ensureDependencies();
    const mdbook = await ensureMdbook();
    await serveWith(mdbook, await choosePort());
  } catch (err) {
    if (!(err instanceof SetupError)) throw err;
    if (err.output) console.error(err.output.trimEnd());
    console.error(err.message);
    process.exitCode = 1;
  }
}

/** @throws {SetupError} when PORT is no port */
async function choosePort() {
  const wanted = Number(process.env.PORT ?? usualPort);
  if (!Number.isInteger(wanted) || wanted < 0 || wanted > 65_535) {
    throw new SetupError(`PORT=${process.env.PORT} is not a port: 1 to 65535, or 0 for any.`);
  }
  if (wanted === 0) return nextFreePort(usualPort);
  const port = await nextFreePort(wanted);
  if (port !== wanted) {
    const owner = portOwner(wanted);
    console.log(`Port ${wanted} is taken${owner ? ` by ${owner}` : ""}; taking ${port}.`);
  }
  return port;
}

/**
 * @param {string} mdbook
 * @param {number} port
 */
async function serveWith(mdbook, port) {
  const child = spawn(
    mdbook,
    ["serve", "--hostname", "localhost", "--port", String(port), root],
    { stdio: ["ignore", "pipe", "pipe"] },
  );
  // Ctrl-C in a terminal reaches mdBook too; a kill of this process alone
  // doesn't. Either way this process ends after mdBook has.
  const stop = () => child.kill("SIGTERM");
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, stop);

  let isInterrupted = false;
  process.on("SIGINT", () => {
    isInterrupted = true;
  });
  process.on("SIGTERM", () => {
    isInterrupted = true;
  });

  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => {
      printed += text;
      showTroubles(text);
    });
  }
  const ended = new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });

  console.log("Building the book ...");
  const isUp = await Promise.race([waitForServer(port), ended.then(() => false)]);
  if (isUp) {
    console.log(`The book is at http://localhost:${port} (Ctrl-C ends this).`);
    console.log("A page reloads by itself when its chapter changes.");
    if (port === usualPort) {
      console.log(
        `The servers that you build listen on ${usualPort} too: ` +
          "PORT=4000 npm start puts the book out of their way.",
      );
    }
  }
  await ended;
  if (!isInterrupted) {
    throw new SetupError(isUp ? "mdBook has ended." : "The book could not be served.");
  }
}

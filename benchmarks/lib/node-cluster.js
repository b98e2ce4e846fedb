// Serves a program from WORKERS processes that share a port:
// node node-cluster.js PROGRAM
import cluster from "node:cluster";
import path from "node:path";
import process from "node:process";

const workers = Number(process.env.WORKERS ?? 2);

cluster.setupPrimary({ exec: path.resolve(process.argv[2]), silent: true });

let listening = 0;

/**
 * The event `listening` doesn't come from a worker that has a socket of its
 * own (reusePort), so each is taken at its word.
 *
 * @param {import("node:stream").Readable} stdout of a worker
 */
function waitUntilItListens(stdout) {
  let output = "";
  stdout.on("data", function read(chunk) {
    output += chunk;
    const address = /listening on (\S+)\n/.exec(output)?.[1];
    if (address === undefined) return;
    stdout.removeListener("data", read);
    stdout.resume();
    listening++;
    if (listening === workers) console.log(`listening on ${address}`);
  });
}

// A worker that ends would make the others look better than they are.
cluster.on("exit", (_worker, code, signal) => {
  console.error(`a worker ended: ${signal ?? code}`);
  process.exit(1);
});

for (let i = 0; i < workers; i++) {
  const { process: child } = cluster.fork();
  if (child.stdout) waitUntilItListens(child.stdout);
  child.stderr?.pipe(process.stderr);
}

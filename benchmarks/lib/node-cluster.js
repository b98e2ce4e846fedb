// Serves a program from WORKERS processes that share a port:
// node node-cluster.js PROGRAM
import cluster from "node:cluster";
import path from "node:path";
import process from "node:process";

const workers = Number(process.env.WORKERS ?? 2);

// Each worker prints that it listens. Only the primary knows when all do.
cluster.setupPrimary({ exec: path.resolve(process.argv[2]), silent: true });

let listening = 0;
cluster.on("listening", (_worker, { port }) => {
  listening++;
  if (listening === workers) console.log(`listening on http://localhost:${port}`);
});
// A worker that ends would make the others look better than they are.
cluster.on("exit", (_worker, code, signal) => {
  console.error(`a worker ended: ${signal ?? code}`);
  process.exit(1);
});

for (let i = 0; i < workers; i++) {
  const { process: child } = cluster.fork();
  child.stdout?.resume();
  child.stderr?.pipe(process.stderr);
}

import cluster from "node:cluster";

const ports = process.argv.slice(2);
if (cluster.isPrimary) {
  for (const port of ports) {
    cluster.setupPrimary({ exec: "server.js", args: ["-p", port] });
    cluster.fork();
  }
}

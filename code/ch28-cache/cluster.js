import cluster from "node:cluster";
import { once } from "node:events";

for (const port of process.argv.slice(2)) {
  cluster.setupPrimary({ exec: "server.js", args: ["-p", port] });
  await once(cluster.fork(), "listening");
}

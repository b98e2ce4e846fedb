// Serves a program from WORKERS Bun processes, each with a listening socket of
// its own on one port (SO_REUSEPORT), among which the kernel deals out
// connections: bun bun-cluster.js PROGRAM
//
// macOS ignores reusePort: one process gets every connection there.
//
// The global `process` is used: to import it from node:process makes Bun 0.8
// open its stderr anew, which fails when that is a socket.
import { spawn } from "node:child_process";
import path from "node:path";

const workers = Number(process.env.WORKERS ?? 2);
const program = path.resolve(process.argv[2]);
let listening = 0;

for (let i = 0; i < workers; i++) {
  const child = spawn(process.execPath, [program], {
    env: { ...process.env, REUSE_PORT: "1" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.on("data", function count(chunk) {
    output += chunk;
    if (!output.includes("listening on ")) return;
    child.stdout.removeListener("data", count);
    child.stdout.resume();
    listening++;
    if (listening === workers) {
      console.log(`listening on http://localhost:${process.env.PORT ?? 3000}`);
    }
  });
  child.on("exit", () => process.exit(1));
}

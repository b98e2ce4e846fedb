import { fork } from "node:child_process";
import { once } from "node:events";

const hosts = new Set();

async function run(address) {
  const host = fork("host.js", [address]);
  hosts.add(host);
  host.once("exit", (_code, signal) => {
    hosts.delete(host);
    setTimeout(run, signal === "SIGKILL" ? 4_000 : 100, address);
  });
  await once(host, "message");
}

process.on("SIGINT", () => {
  for (const host of hosts) host.kill("SIGKILL");
  process.exit();
});

const count = Number(process.argv[2]);
for (let number = 0; number < count; number += 1) {
  await run(`127.0.0.${2 + number}`);
}
console.log(`hosts that listen: ${count}`);

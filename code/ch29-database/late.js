import { execFileSync } from "node:child_process";

function usedSince(before) {
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

setTimeout(() => {
  const before = process.cpuUsage();
  // Nothing but work.
  while (usedSince(before) < 1_000_000);
  const words = ["-o", "%cpu=", "-p", String(process.pid)];
  console.log(execFileSync("ps", words, { encoding: "utf8" }).trim());
  setTimeout(() => {}, 2_000);
}, 9_000);

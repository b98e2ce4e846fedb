/** Ports: which is free, and who has the one that isn't. */

import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { createServer } from "node:net";

// A server on one of these can be hidden from a bind to the others, depending
// on the system; a port is free when all of them are.
const hosts = ["::", "127.0.0.1", "::1"];

/**
 * @param {number} port
 * @returns {Promise<boolean>}
 */
export async function isPortFree(port) {
  for (const host of hosts) {
    const err = await tryToListen(port, host);
    if (err?.code === "EADDRINUSE" || err?.code === "EACCES") return false;
  }
  return true;
}

/**
 * @param {number} port
 * @param {string} host
 * @returns {Promise<NodeJS.ErrnoException | null>}
 */
function tryToListen(port, host) {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (err) => resolve(err));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(null)));
  });
}

/**
 * The first free port from `first` on.
 *
 * @param {number} first
 * @returns {Promise<number>}
 * @throws {Error} when the next hundred are all taken
 */
export async function nextFreePort(first) {
  for (let port = first; port < Math.min(first + 100, 65_536); port += 1) {
    if (await isPortFree(port)) return port;
  }
  throw new Error(`No free port from ${first} on.`);
}

/**
 * Any free port, below those that the system gives to outgoing connections: thousands of these
 * rest for a minute after a load, and nobody can listen on one meanwhile.
 *
 * @returns {Promise<number>} one that was free a moment ago
 */
export async function findFreePort() {
  for (;;) {
    const port = 12_000 + Math.floor(Math.random() * 18_000);
    if (await isPortFree(port)) return port;
  }
}

/**
 * Who listens on a port, in words, as far as this system tells: "node
 * server.js (process 4711)".
 *
 * @param {number} port
 * @returns {string | null}
 */
export function portOwner(port) {
  return process.platform === "linux" ? ownerFromProc(port) : ownerFromLsof(port);
}

/** @param {number} port */
function ownerFromProc(port) {
  const sockets = new Set(
    ["/proc/net/tcp", "/proc/net/tcp6"].flatMap((table) => listeningInodes(table, port)),
  );
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      for (const fd of readdirSync(`/proc/${pid}/fd`)) {
        const inode = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1];
        if (!inode || !sockets.has(inode)) continue;
        const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
        return `${command.filter(Boolean).join(" ")} (process ${pid})`;
      }
    } catch {
      // Another user's process, or one that has just ended.
    }
  }
  return null;
}

/**
 * @param {string} table
 * @param {number} port
 */
function listeningInodes(table, port) {
  const listening = "0A";
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  try {
    return readFileSync(table, "utf8")
      .split("\n")
      .map((line) => line.trim().split(/\s+/))
      .filter((fields) => fields[1]?.endsWith(suffix) && fields[3] === listening)
      .map((fields) => fields[9]);
  } catch {
    return [];
  }
}

/** @param {number} port */
function ownerFromLsof(port) {
  const args = ["-nP", `-iTCP:${port}`, "-sTCP:LISTEN", "-Fpc"];
  const { stdout } = spawnSync("lsof", args, { encoding: "utf8" });
  const pid = /^p(\d+)$/m.exec(stdout ?? "")?.[1];
  const command = /^c(.+)$/m.exec(stdout ?? "")?.[1];
  return pid ? `${command ?? "a program"} (process ${pid})` : null;
}

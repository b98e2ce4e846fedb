import { spawn } from "node:child_process";
import { once } from "node:events";
import net from "node:net";
import path from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { lacks } from "../../../tools/lib/programs.js";
import { freePort } from "../../contracts/port.js";

/** Why hosts behind HAProxy can't run here, or false. */
export const MISSING = lacks("haproxy", "redis-server");

/** How long a test waits for what has to come, in milliseconds. */
const PATIENCE = 30_000;

const folder = path.join(import.meta.dirname, "..");

/**
 * Three hosts behind HAProxy, with a Redis, until the test is over.
 *
 * @param {import("node:test").TestContext} t
 * @param {...string} more words for HAProxy, such as another file
 */
export async function startHosts(t, ...more) {
  const port = await freePort();
  // A busy machine may keep Redis waiting for longer than 200 ms.
  const REDIS_MS = "5000";
  const env = { ...process.env, PORT: String(port), REDIS_MS };
  /** @param {string} command @param {string[]} words */
  const run = (command, ...words) => {
    const child = spawn(command, words, {
      cwd: folder,
      env,
      stdio: ["ignore", "pipe", "inherit"],
    });
    t.after(() => void (child.exitCode ?? child.kill("SIGINT")));
    return child;
  };
  const redis = ["--bind", "127.0.0.8", "--port", `${port}`, "--save", ""];
  run("redis-server", ...redis).stdout.resume();
  await untilListens("127.0.0.8", port);
  const fleet = run(process.execPath, "fleet.js", "3");
  await once(fleet.stdout, "data");
  const proxy = run("haproxy", "-q", "-f", "haproxy.cfg", ...more);
  proxy.stdout.resume();
  await untilListens("127.0.0.1", port);
  /** @param {string} host @param {string} page */
  const read = async (host, page) => {
    const response = await fetch(`http://${host}:${port}${page}`);
    return response.text();
  };
  return {
    port,
    read,
    /**
     * Waits until the visitors have come, which takes a busy machine long.
     *
     * @param {string} [host] the host that they have to be on, or any
     * @param {number} [count] how many have to be on it
     */
    async untilBusy(host, count = 1) {
      const isBusy = (/** @type {string} */ line) => {
        const [part, name, , , underWay] = line.split(",");
        const isMeant = host === undefined || name === host;
        return part === "hosts" && isMeant && Number(underWay) >= count;
      };
      const until = performance.now() + PATIENCE;
      for (;;) {
        const list = await read("127.0.0.9", "/;csv");
        if (list.split("\n").some(isBusy)) return;
        if (performance.now() > until) {
          throw new Error(`never ${count} under way on ${host}:\n${list}`);
        }
        await sleep(50);
      }
    },
    /** @param {string} script @param {string[]} words */
    async node(script, ...words) {
      const child = run(process.execPath, script, ...words);
      return text(child.stdout);
    },
  };
}

/** @param {string} host @param {number} port */
async function untilListens(host, port) {
  const until = performance.now() + PATIENCE;
  for (;;) {
    const socket = net.connect(port, host);
    socket.on("error", () => {});
    await new Promise((resolve) => {
      socket.once("connect", resolve).once("close", resolve);
    });
    const isThere = !socket.destroyed;
    socket.destroy();
    if (isThere) return;
    if (performance.now() > until)
      throw new Error(`${host} doesn't listen`);
    await sleep(20);
  }
}

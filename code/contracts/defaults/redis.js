import { spawn } from "node:child_process";
import { once } from "node:events";
import { lacks } from "../../../tools/lib/programs.js";
import { freePort } from "../port.js";

/** Why the tests with Redis can't run here, or false. */
export const REDIS_MISSING = lacks("redis-server");

/**
 * Runs a real Redis on a free port, until the test is over.
 *
 * @param {import("node:test").TestContext | { after: (fn: () => void) => void }} t
 * @param {string[]} [options] of the program
 */
export async function startRedis(t, options = []) {
  const port = await freePort();
  /** @type {import("node:child_process").ChildProcess} */
  let child;
  const run = async () => {
    const fixed = [
      "--port",
      `${port}`,
      "--bind",
      "127.0.0.1",
      "--save",
      "",
    ];
    child = spawn("redis-server", [...fixed, ...options], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    let output = "";
    const { stdout } = child;
    for await (const chunk of stdout?.iterator({
      destroyOnReturn: false,
    }) ?? []) {
      output += chunk;
      if (output.includes("Ready to accept")) break;
    }
    stdout?.resume();
    if (!output.includes("Ready to accept")) throw new Error(output);
  };
  await run();
  t.after(() => void child.kill("SIGKILL"));
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    /** @param {NodeJS.Signals} signal */
    signal: (signal) => child.kill(signal),
    async kill() {
      const exit = once(child, "exit");
      child.kill("SIGKILL");
      await exit;
    },
    restart: run,
  };
}

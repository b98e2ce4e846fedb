import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { closeSync, openSync, readFileSync, rmSync } from "node:fs";
import { get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";

const INSIDE = new URL("inside.js", import.meta.url).href;

function socketOf(pid) {
  return join(tmpdir(), `inside-${pid}.sock`);
}

/**
 * Asks what runs inside of a process that has loaded inside.js.
 *
 * @param {number} pid
 * @param {string} path of the question
 * @returns {Promise<any>}
 * @throws {Error} in the words of inside.js
 */
export async function askInside(pid, path) {
  const req = get({ socketPath: socketOf(pid), path, agent: false });
  const [res] = await once(req, "response");
  /** @type {any} */
  const answer = await json(res);
  if (res.statusCode !== 200) throw new Error(answer.error);
  return answer;
}

/**
 * Starts a server on a free port. It has to say where it listens. What it
 * prints goes into a file, as a server's log does.
 *
 * @param {string} file
 * @param {number} [seconds] until it has to listen
 */
export async function startServer(file, seconds = 10) {
  const log = join(tmpdir(), `outside-${randomUUID()}.log`);
  const output = openSync(log, "w");
  const args = ["--import", INSIDE, file];
  const child = spawn(process.execPath, args, {
    env: { ...process.env, PORT: "0" },
    stdio: ["ignore", output, "inherit"],
  });
  closeSync(output);
  const exited = once(child, "exit");

  async function stop() {
    child.kill();
    await exited;
    rmSync(log);
    rmSync(socketOf(child.pid), { force: true });
  }

  const end = performance.now() + seconds * 1000;
  const hasEnded = () =>
    child.exitCode !== null || child.signalCode !== null;
  while (!hasEnded() && performance.now() < end) {
    const origin = /^listening on (\S+)/m.exec(readFileSync(log, "utf8"));
    if (origin !== null) return { pid: child.pid, origin: origin[1], stop };
    await sleep(10);
  }
  const why = hasEnded()
    ? "has ended before it listened"
    : `hasn't printed "listening on" in ${seconds} s`;
  await stop();
  throw new Error(`${file} ${why}`);
}

import { spawn } from "node:child_process";

/** @import { ChildProcess, SpawnOptions } from "node:child_process" */

/** Process groups that may still run: none outlives us. @type {Set<number>} */
const groups = new Set();

process.once("exit", () => {
  for (const group of groups) signal(group, "SIGKILL");
});

/**
 * Starts a program in a process group of its own, so that all that it starts
 * can be ended with it. Ctrl-C in our terminal doesn't reach it; when we end,
 * it is killed.
 *
 * @param {string} program
 * @param {string[]} args
 * @param {SpawnOptions} options
 * @returns {ChildProcess}
 */
export function spawnGroup(program, args, options) {
  const child = spawn(program, args, { ...options, detached: true });
  if (child.pid !== undefined) groups.add(child.pid);
  return child;
}

/**
 * Sends a signal to all of a group.
 *
 * @param {ChildProcess} child  its first process
 * @param {NodeJS.Signals} name
 */
export function signalGroup({ pid }, name) {
  if (pid !== undefined) signal(pid, name);
}

/**
 * Kills what is left of a group.
 *
 * @param {ChildProcess} child  its first process
 */
export function endGroup({ pid }) {
  if (pid === undefined) return;
  signal(pid, "SIGKILL");
  groups.delete(pid);
}

/**
 * @param {number} group
 * @param {NodeJS.Signals} name
 */
function signal(group, name) {
  try {
    process.kill(-group, name);
  } catch {
    // It has ended already.
  }
}

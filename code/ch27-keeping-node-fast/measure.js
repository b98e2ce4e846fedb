import { load } from "./load.js";
import { askInside } from "./outside.js";

/**
 * What a request costs a server.
 *
 * @param {{ pid: number, origin: string }} server started by outside.js
 * @param {string} path
 * @param {object} options
 * @param {number} options.seconds
 * @param {number} [options.connections]
 * @param {boolean} [options.remembers]
 * @returns {Promise<{ rate: number, cost: number, counts: object }>}
 *   requests a second, microseconds of processor time for each, and how many
 *   answers there were, by status
 */
export async function measure(server, path, options) {
  const url = new URL(path, server.origin).href;
  const before = await askInside(server.pid, "/usage");
  const start = performance.now();
  const counts = await load(url, options);
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = await askInside(server.pid, "/usage");
  const count = Object.values(counts).reduce((sum, one) => sum + one, 0);
  const used = user + system - before.user - before.system;
  return { rate: count / seconds, cost: used / count, counts };
}

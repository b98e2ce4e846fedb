import { load } from "./load.js";
import { askInside, startServer } from "./outside.js";

/**
 * What a request costs a server, once it is warm.
 *
 * @param {string} file
 * @param {string} path
 * @param {object} options
 * @param {number} options.seconds
 * @param {number} [options.connections]
 * @param {boolean} [options.remembers]
 * @returns {Promise<{ rate: number, cost: number, statuses: string }>} requests
 *   a second, and microseconds of processor time for each
 */
export async function measure(file, path, options) {
  const server = await startServer(file);
  try {
    const url = new URL(path, server.origin).href;
    await load(url, { ...options, seconds: 1 });
    const counts = {};
    const before = await askInside(server.pid, "/usage");
    const start = performance.now();
    await load(url, {
      ...options,
      onAnswer: (status) => {
        counts[status] = (counts[status] ?? 0) + 1;
      },
    });
    const seconds = (performance.now() - start) / 1000;
    const { user, system } = await askInside(server.pid, "/usage");
    const count = Object.values(counts).reduce((sum, one) => sum + one, 0);
    const used = user + system - before.user - before.system;
    const statuses = Object.keys(counts).join(", ");
    return { rate: count / seconds, cost: used / count, statuses };
  } finally {
    await server.stop();
  }
}

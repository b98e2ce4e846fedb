/**
 * Suites that don't put servers side by side by one load: programs of their own.
 *
 * @type {Record<string, string>}
 */
export const programs = {
  cache: "experiments/cache.js",
  database: "database/run.js",
  "keeping-fast": "experiments/keeping-fast.js",
  router: "router/run.js",
};

/**
 * What cache-client.js does, by npm's `memcached`: 50 connections, one request
 * under way for each.
 *
 *     node benchmarks/experiments/cache-npm/client.js PORT set|get SECONDS
 */
import { createRequire } from "node:module";
import process from "node:process";
import { report } from "../cache-report.js";

// It has no types, and isn't installed until cache.js asks for it.
const Memcached = createRequire(import.meta.url)("memcached");

const [port, what, seconds] = process.argv.slice(2);
const CONNECTIONS = 50;
const KEY = "key:00000001";
// It gives a connection up after a second without a request.
const client = new Memcached(`127.0.0.1:${port}`, { poolSize: CONNECTIONS, idle: 60_000 });

let answered = 0;

/** @param {unknown} err */
function next(err) {
  if (err) throw err;
  answered++;
  ask();
}

function ask() {
  if (what === "set") client.set(KEY, "abc", 0, next);
  else client.get(KEY, next);
}

client.set(KEY, "abc", 0, (/** @type {unknown} */ err) => {
  if (err) throw err;
  for (let n = 0; n < CONNECTIONS; n++) ask();
  report(() => answered, Number(seconds));
});

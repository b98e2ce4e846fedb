// bare node:http, and beside it a task that keeps the only thread busy for a
// tenth of each second.
import { performance } from "node:perf_hooks";
import "../node-http/server.js";

setInterval(() => {
  const end = performance.now() + 100;
  while (performance.now() < end);
}, 1000);

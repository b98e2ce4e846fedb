// The server of overload.js: chapter 19's, with the gate or without.
// node benchmarks/experiments/overload-server.js bare|shed
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";

const velocy = new URL("../../code/ch19-overload/index.js", import.meta.url);
const { createServer, Router, shed } = await import(velocy.href);
const [guard] = process.argv.slice(2);
const router = new Router();
/** @type {(() => void)[]} */
const waiting = [];
let free = 8;

if (guard === "shed") router.use(shed({ concurrent: 8 }));

router.get("/page", () => {
  const end = performance.now() + 5;
  while (performance.now() < end);
  return "a page\n";
});

router.get("/data", async () => {
  if (free > 0) free -= 1;
  else await new Promise((resolve) => waiting.push(() => resolve(undefined)));
  await sleep(40);
  const next = waiting.shift();
  if (next === undefined) free += 1;
  else next();
  return "data\n";
});

const server = createServer(router);
server.listen(0, "127.0.0.1", () => {
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  process.send?.(port);
});

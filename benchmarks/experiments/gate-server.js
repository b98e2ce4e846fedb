// A server of gate.js: chapter 19's, with a fast route.
// node benchmarks/experiments/gate-server.js bare|next|shed
import process from "node:process";

const velocy = new URL("../../code/ch19-overload/index.js", import.meta.url);
const { createServer, Router, shed } = await import(velocy.href);
const [guard] = process.argv.slice(2);
const router = new Router();

// Also where the machine stands still for a moment nobody is to be refused.
if (guard === "shed") router.use(shed({ age: 60_000 }));
if (guard === "next") router.use(callNext);

router.get("/", () => "hello\n");

// The others wait while one has its turn.
const server = createServer(router, { keepAliveTimeout: 60_000 });
server.listen(Number(process.env.PORT ?? 3000), () => {
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  console.log(`listening on http://localhost:${port}`);
});

/** @param {unknown} _req @param {unknown} _res @param {() => unknown} next */
function callNext(_req, _res, next) {
  return next();
}

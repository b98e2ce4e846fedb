/**
 * Chapter 22's engine, for drip.js: it is as patient as chapter 4's server.
 */
import { Router } from "../../code/ch22-engine/index.js";
import { createServer } from "../../code/ch22-engine/lib/engine/index.js";

const router = new Router().get("/*path", () => "hello\n");
const server = createServer(router, { headersTimeout: 10_000 });
server.listen(Number(process.env.PORT ?? 3000), () => {
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  console.log(`listening on http://localhost:${port}`);
});

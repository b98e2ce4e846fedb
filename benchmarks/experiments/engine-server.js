/**
 * Chapter 22's engine, for drip.js: it is as patient as chapter 4's server.
 */
const MILESTONE = new URL("../../code/ch22-engine/", import.meta.url);
const { Router } = await import(new URL("index.js", MILESTONE).href);
const { createServer } = await import(new URL("lib/engine/index.js", MILESTONE).href);

const router = new Router().get("/*path", () => "hello\n");
const server = createServer(router, { headersTimeout: 10_000 });
server.listen(Number(process.env.PORT ?? 3000), () => {
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  console.log(`listening on http://localhost:${port}`);
});

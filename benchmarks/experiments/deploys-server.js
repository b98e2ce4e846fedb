/** The server that benchmarks/experiments/deploys.js replaces. */
import process from "node:process";

const mode = process.env.MODE;
const milestone = new URL("../../code/ch20-dying-well/", import.meta.url);

if (mode === "handed") {
  // Its successor is its own program.
  process.argv[1] = new URL("server.js", milestone).pathname;
  await import(process.argv[1]);
} else {
  const { closeGracefully, createServer, Router } = await import(
    new URL("index.js", milestone).href
  );
  const router = new Router();
  router.get(
    "/work",
    () => new Promise((/** @type {any} */ resolve) => setTimeout(resolve, 50, "done\n")),
  );
  const server = createServer(router);
  if (mode !== "kill") process.once("SIGTERM", () => closeGracefully(server));
  const reusePort = mode === "reusePort";
  server.listen({ port: Number(process.env.PORT), reusePort }, () => {
    console.log(`listening (pid ${process.pid})`);
  });
}

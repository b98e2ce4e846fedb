// The server of download.js: chapter 14's files(), of the folder that the
// first argument names.
import process from "node:process";

const velocy = new URL("../../code/ch14-files/index.js", import.meta.url);
const { createServer, files, Router } = await import(velocy.href);
const [folder] = process.argv.slice(2);
const router = new Router();

router.get("/*name", files(folder));

const server = createServer(router);
server.listen(0, "127.0.0.1", () => {
  const address = /** @type {import("node:net").AddressInfo} */ (server.address());
  process.send?.(address.port);
});

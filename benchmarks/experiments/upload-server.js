// The server of upload.js: takes an upload as the first argument says, and
// writes it to the second, a file.
import { createWriteStream } from "node:fs";
import { writeFile } from "node:fs/promises";
import process from "node:process";
import { pipeline } from "node:stream/promises";

const velocy = new URL("../../code/ch13-bodies/index.js", import.meta.url);
const { createServer, Router } = await import(velocy.href);
const [how, path] = process.argv.slice(2);
const router = new Router();

router.post("/", { bodyBytes: Infinity }, async (/** @type {any} */ req) => {
  if (how === "whole") {
    await writeFile(path, await req.bytes());
    return "written\n";
  }
  for await (const part of req.parts()) {
    await pipeline(part, createWriteStream(path));
  }
  return "written\n";
});

const server = createServer(router);
server.listen(0, "127.0.0.1", () => {
  const address = /** @type {import("node:net").AddressInfo} */ (server.address());
  process.send?.(address.port);
});

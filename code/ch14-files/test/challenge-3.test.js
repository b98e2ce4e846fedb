import { once } from "node:events";
import { Readable } from "node:stream";
import { describe } from "node:test";
import { testNotModified } from "../../contracts/files/not-modified.js";
import { portOf } from "../../contracts/router/ask.js";
import { compress, createServer, Router } from "../index.js";

const LONG = "All work and no play makes Jack a dull boy.\n".repeat(100);

async function start() {
  const router = new Router();
  router.use(compress());
  router.get("/long", (_req, res) => {
    return res.preconditionsHold({ etag: '"u"' }) ? LONG : undefined;
  });
  router.get("/short", (_req, res) => {
    return res.preconditionsHold({ etag: '"u"' }) ? "short" : undefined;
  });
  router.get("/stream", (_req, res) => {
    res.setHeader("etag", '"stream"').setHeader("content-type", "text/css");
    return Readable.from([LONG]);
  });
  const server = createServer(router);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { port: portOf(server), close: () => server.close() };
}

describe("Challenges", {
  skip: process.env.CHALLENGE !== "3" && "challenge 3",
}, () => {
  testNotModified(start, [
    ["/long", { isUntold: true }],
    ["/short", { isUntold: true }],
    ["/stream", { isUntold: true }],
  ]);
});

import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { connect } from "node:net";
import path from "node:path";

// Its types are checked with the milestones', by rules of their own.
const velocy = new URL("../../code/ch14-files/index.js", import.meta.url);

/**
 * Serves the pages that mdBook makes, with the book's own framework. Pages
 * that are to reload are told so by mdBook: its WebSocket is handed on.
 *
 * @param {object} options
 * @param {string} options.pages the folder
 * @param {number} options.port
 * @param {number} options.mdbookPort where `mdbook serve` listens
 * @returns {Promise<void>} once it listens
 */
export async function serveBook({ pages, port, mdbookPort }) {
  const { compress, createServer, files, Router } = await import(velocy.href);
  const router = new Router();
  router.use(compress());
  router.get("/*", files(pages));
  router.onError(
    async (/** @type {any} */ err, /** @type {any} */ _req, /** @type {any} */ res) => {
      if (err.statusCode !== 404) return undefined;
      const page = await readFile(path.join(pages, "404.html")).catch(() => undefined);
      if (page) res.setHeader("content-type", "text/html; charset=utf-8");
      return page;
    },
  );
  /** @type {import("node:http").Server} */
  const server = createServer(router);
  server.on("upgrade", (req, socket, head) => {
    const upstream = connect(mdbookPort, "localhost");
    const close = () => {
      upstream.destroy();
      socket.destroy();
    };
    for (const end of [upstream, socket]) end.on("error", close).on("close", close);
    upstream.write(headOf(req));
    upstream.write(head);
    upstream.pipe(socket).pipe(upstream);
  });
  server.listen(port, "localhost");
  await once(server, "listening");
}

/**
 * The head of a request, as it came.
 *
 * @param {import("node:http").IncomingMessage} req
 */
function headOf({ method, url, rawHeaders }) {
  const lines = [`${method} ${url} HTTP/1.1`];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    lines.push(`${rawHeaders[i]}: ${rawHeaders[i + 1]}`);
  }
  return `${lines.join("\r\n")}\r\n\r\n`;
}

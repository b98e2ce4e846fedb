import { once } from "node:events";
import net from "node:net";

/**
 * A port that was free on all addresses a moment ago, below those that the
 * system gives to outgoing connections, so that none of these takes it before
 * a server does.
 *
 * @returns {Promise<number>}
 */
export async function freePort() {
  for (;;) {
    const port = 12_000 + Math.floor(Math.random() * 18_000);
    const server = net.createServer();
    try {
      server.listen(port);
      await once(server, "listening");
    } catch (err) {
      const { code } = /** @type {NodeJS.ErrnoException} */ (err);
      if (code === "EADDRINUSE") continue;
      throw err;
    }
    server.close();
    await once(server, "close");
    return port;
  }
}

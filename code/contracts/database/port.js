import { once } from "node:events";
import net from "node:net";

/**
 * A free port below those that the system gives to outgoing connections, so
 * that none of these takes it before a server does.
 *
 * @returns {Promise<number>}
 */
export async function quietPort() {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 10_000);
    const server = net.createServer().listen(port, "127.0.0.1");
    try {
      await once(server, "listening");
    } catch {
      continue;
    }
    server.close();
    await once(server, "close");
    return port;
  }
}

import { once } from "node:events";
import { connect, createServer } from "node:net";
import { Cache } from "../lib/cache.js";
import { serve } from "../lib/socket.js";

/** A client that reads as much as it is asked to. */
export class Client {
  /** @param {any} place */
  static async open(place) {
    const client = new Client();
    client.socket = connect({ host: "127.0.0.1", ...place });
    client.socket.setEncoding("latin1");
    client.socket.on("data", (text) => {
      client.received += text;
      client.socket.emit("more");
    });
    client.socket.on("error", () => {});
    client.socket.on("close", () => {
      client.isClosed = true;
      client.socket.emit("more");
    });
    await once(client.socket, "connect");
    return client;
  }

  /** @type {any} */
  socket;
  received = "";
  isClosed = false;

  /** Sends, and gives the next answers, as long as `expected` is. */
  async ask(text, expected) {
    if (text !== "") this.socket.write(text, "latin1");
    return this.take(expected.length);
  }

  /** Sends, and gives what comes up to `ending`. */
  async askUntil(text, ending) {
    this.socket.write(text, "latin1");
    while (!this.received.includes(ending) && !this.isClosed) {
      await once(this.socket, "more");
    }
    const length = this.received.indexOf(ending) + ending.length;
    return this.take(length);
  }

  async take(length) {
    while (this.received.length < length && !this.isClosed) {
      await once(this.socket, "more");
    }
    const text = this.received.slice(0, length);
    this.received = this.received.slice(length);
    return text;
  }

  async ended() {
    while (!this.isClosed) await once(this.socket, "more");
    return this.received;
  }

  close() {
    this.socket.destroy();
  }
}

/**
 * A server in this process.
 *
 * @param {any} [options]
 * @param {any} [place]
 */
export async function start(
  options = {},
  place = { port: 0, host: "127.0.0.1" },
) {
  const cache = new Cache(options);
  const sockets = new Set();
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    serve(socket, cache);
  });
  server.listen(place);
  await once(server, "listening");
  const address = server.address();
  return {
    cache,
    place:
      typeof address === "string"
        ? { path: address }
        : { port: address.port },
    /** @param {number} seconds */
    pass(seconds) {
      cache.store.tick(cache.store.now + seconds);
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

import assert from "node:assert/strict";
import { once } from "node:events";
import net from "node:net";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { listen } from "../../contracts/router/ask.js";
import { Router } from "../index.js";
import { createServer } from "../lib/engine/index.js";

/** @import { TestContext } from "node:test" */

const GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

/** More than the buffers of both kernels hold, in bytes. */
const LARGE = 20 * 1024 ** 2;

/**
 * @param {TestContext} t
 * @param {(router: any) => void} addRoutes
 * @param {object} [options]
 */
async function serve(t, addRoutes, options) {
  const router = new Router();
  addRoutes(router);
  /** @type {any} */
  const server = createServer(router, options);
  const port = await listen(t, server);
  return { server, port };
}

/** @param {number} port */
async function connectTo(port) {
  const socket = net.connect(port, "127.0.0.1");
  socket.on("error", () => {});
  await once(socket, "connect");
  return socket;
}

/** @param {net.Socket} socket @param {string} end what comes last */
async function readUntil(socket, end) {
  let text = "";
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    text += chunk.toString("latin1");
    if (text.endsWith(end)) break;
  }
  return text;
}

/** How this Node calls its handles: with null, or with an object of its own. */
async function passesNull() {
  const server = net.createServer().listen(0);
  await once(server, "listening");
  /** @type {any} */
  const { port } = server.address();
  const client = await connectTo(port);
  /** @type {any} */
  const handle = /** @type {any} */ (client)._handle;
  const { writeLatin1String } = handle;
  let first;
  handle.writeLatin1String = (/** @type {any[]} */ ...args) => {
    [first] = args;
    return writeLatin1String.apply(handle, args);
  };
  client.write("a", "latin1");
  client.destroy();
  server.close();
  return first === null;
}

describe("Past the stream", () => {
  it("learns how Node writes from no socket that needs its stream", async () => {
    const fresh = new URL(
      "../lib/engine/writing.js?fresh",
      import.meta.url,
    );
    const { writeText } = await import(fresh.href);
    /** @type {string[]} */
    const streamed = [];
    class Handle {
      /** @param {any[]} _args */
      writeLatin1String(..._args) {
        return 0;
      }
    }
    const makeSocket = (/** @type {boolean} */ encrypted) => {
      const _handle = new Handle();
      const write = (/** @type {string} */ text) => {
        streamed.push(text);
        return _handle.writeLatin1String(null, text) === 0;
      };
      return { _handle, encrypted, write, writableLength: 0 };
    };
    const [secret, plain] = [makeSocket(true), makeSocket(false)];
    for (const text of ["a", "b"]) writeText(secret, text);
    for (const text of ["c", "d"]) writeText(plain, text);
    assert.deepEqual(streamed, ["a", "b", "c"]);
  });

  it("leaves the stream out where Node takes null, and nowhere else", async (t) => {
    const isDirect = await passesNull();
    const { server, port } = await serve(t, (router) => {
      router.get("/", () => "hello");
    });
    let writes = 0;
    server.prependListener("connection", (/** @type {any} */ socket) => {
      const { write } = socket;
      socket.write = (/** @type {any[]} */ ...args) => {
        writes += 1;
        return write.apply(socket, args);
      };
    });
    const client = await connectTo(port);
    t.after(() => client.destroy());
    for (let i = 0; i < 10; i += 1) {
      client.write(GET);
      await readUntil(client, "hello");
    }
    // The first one is looked at.
    assert.equal(writes <= 1, isDirect, `${writes} of 10 by the stream`);
    assert.equal(writes === 10, !isDirect, `${writes} of 10 by the stream`);
  });

  it("keeps the order when it takes turns with the stream, and the client reads late", async (t) => {
    const text = (/** @type {any} */ req) => {
      return `${req.params.id}:`.padEnd(50_000, "a");
    };
    const { port } = await serve(t, (router) => {
      router.get("/text/:id", text);
      router.get("/later/:id", async (/** @type {any} */ req) => {
        await sleep(1);
        return text(req);
      });
      router.get("/bytes/:id", (/** @type {any} */ req) => {
        return Buffer.from(text(req));
      });
      router.get("/utf8/:id", (/** @type {any} */ req) => `${text(req)}é`);
      router.get("/parts/:id", async function* (/** @type {any} */ req) {
        for (let i = 0; i < 50; i += 1) {
          yield `${i === 0 ? `${req.params.id}:` : ""}${"a".repeat(1000)}`;
        }
      });
    });
    const kinds = ["text", "later", "bytes", "text", "utf8", "parts"];
    const client = await connectTo(port);
    t.after(() => client.destroy());
    const count = 240;
    for (let i = 0; i < count; i += 1) {
      const kind = kinds[i % kinds.length];
      client.write(`GET /${kind}/${i} HTTP/1.1\r\nHost: a\r\n\r\n`);
    }
    client.write(
      "GET /text/end HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
    );
    await sleep(300);
    let all = "";
    for await (const chunk of client) all += chunk.toString("latin1");
    const ids = [...all.matchAll(/(\d+|end):a/g)].map(([, id]) => id);
    const expected = Array.from({ length: count }, (_, i) => `${i}`);
    assert.deepEqual(ids, [...expected, "end"]);
    assert.equal(all.split("HTTP/1.1 200").length, count + 2);
    assert.equal([...all.matchAll(/a+/g)].pop()?.[0].length, 50_000 - 4);
  });

  it("lets no text overtake what the stream still holds", async (t) => {
    let begun = 0;
    const answer = (/** @type {any} */ req) => {
      begun += 1;
      return `${req.params.id}:`.padEnd(8_000, "a");
    };
    const { server, port } = await serve(t, (router) => {
      router.get("/text/:id", answer);
      router.get("/bytes/:id", (/** @type {any} */ req) => {
        return Buffer.from(answer(req));
      });
    });
    const connected = once(server, "connection");
    const client = await connectTo(port);
    t.after(() => client.destroy());
    const [socket] = await connected;
    let count = 0;
    const send = async (/** @type {string} */ kind) => {
      client.write(`GET /${kind}/${count} HTTP/1.1\r\nHost: a\r\n\r\n`);
      count += 1;
      while (begun < count) {
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    // The first text of all shows how Node writes.
    await send("text");
    // Until the kernel takes no more, and the stream waits for it.
    while (socket.writableLength === 0) await send("bytes");
    await send("bytes");
    await send("text");
    client.write(
      "GET /text/end HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
    );
    let all = "";
    for await (const chunk of client) all += chunk.toString("latin1");
    const ids = [...all.matchAll(/(\d+|end):a/g)].map(([, id]) => id);
    const expected = Array.from({ length: count }, (_, i) => `${i}`);
    assert.deepEqual(ids, [...expected, "end"]);
  });

  it("sends all of an answer of which a part has to wait", async (t) => {
    const { port } = await serve(t, (router) => {
      router.get("/", () => "a".repeat(LARGE));
    });
    const client = await connectTo(port);
    t.after(() => client.destroy());
    client.write(GET);
    await sleep(200);
    client.write(GET.replace("Host", "Connection: close\r\nHost"));
    let length = 0;
    for await (const chunk of client) {
      for (const byte of chunk) if (byte === 0x61) length += 1;
    }
    assert.ok(length >= 2 * LARGE, `${length} of ${2 * LARGE}`);
  });

  for (const way of /** @type {const} */ (["destroy", "resetAndDestroy"])) {
    it(`closes where the client leaves while a part waits, by ${way}()`, async (t) => {
      const { server, port } = await serve(t, (router) => {
        router.get("/", () => "a".repeat(LARGE));
      });
      const connected = once(server, "connection");
      const client = await connectTo(port);
      const [socket] = await connected;
      client.write(GET);
      await once(client, "readable");
      const closed = new Promise((resolve) => {
        socket.once("close", () => resolve("closed"));
      });
      client[way]();
      const patience = sleep(4_000, "still there", { ref: false });
      assert.equal(await Promise.race([closed, patience]), "closed");
    });
  }

  it("counts the bytes that a socket has written", async (t) => {
    const { server, port } = await serve(t, (router) => {
      router.get("/", () => "hello");
    });
    const client = await connectTo(port);
    t.after(() => client.destroy());
    /** @type {Promise<any>} */
    const connected = once(server, "connection").then(([one]) => one);
    const second = await connectTo(port);
    t.after(() => second.destroy());
    const socket = await connected;
    let length = 0;
    for (const one of [second, second, second]) {
      one.write(GET);
      length += (await readUntil(one, "hello")).length;
    }
    assert.equal(socket.bytesWritten, length);
  });

  it("sets back the clock of a socket that has one", async (t) => {
    const { server, port } = await serve(t, (router) => {
      router.get("/", async () => {
        await sleep(300);
        return "hello";
      });
    });
    server.setTimeout(500);
    const client = await connectTo(port);
    client.write(GET);
    await readUntil(client, "hello");
    const start = performance.now();
    client.resume();
    await once(client, "close");
    const time = performance.now() - start;
    assert.ok(time > 400, `hung up ${time} ms after the answer`);
  });
});

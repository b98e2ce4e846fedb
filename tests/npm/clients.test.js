/**
 * What npm's clients think of the newest milestone's events and WebSockets:
 * `ws` and `undici` talk to it, and `eventsource-parser` reads what it sends.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { ensureDependencies } from "../../tools/lib/setup.js";
import { newestServers } from "../contracts/newest-velocy.js";

/** @import { TestContext } from "node:test" */

const servers = await newestServers();
const hasSockets = servers.some(({ velocy }) => typeof velocy.websocket === "function");
const skip = !hasSockets && "no milestone has WebSockets yet";

/** @type {any} */
let WsClient;
/** @type {any} */
let UndiciClient;
/** @type {any} */
let createParser;

before(async () => {
  if (skip) return;
  const folder = fileURLToPath(new URL(".", import.meta.url));
  await ensureDependencies(folder, "Installing npm's middleware for tests/npm");
  const names = { ws: "ws", undici: "undici", parser: "eventsource-parser" };
  ({ WebSocket: WsClient } = await import(names.ws));
  ({ WebSocket: UndiciClient } = await import(names.undici));
  ({ createParser } = await import(names.parser));
});

/** @param {TestContext} t @param {any} velocy @param {(router: any) => void} addRoutes */
async function serve(t, velocy, addRoutes) {
  const router = new velocy.Router();
  addRoutes(router);
  const server = velocy.createServer(router).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return server.address().port;
}

/** @param {any} velocy */
const adderOfEcho = (velocy) => (/** @type {any} */ router) => {
  const limits = { messageBytes: 20_000_000, bufferedBytes: Infinity };
  const echo = (/** @type {any} */ socket) => {
    socket.on("message", (/** @type {any} */ data) => socket.send(data));
  };
  router.get("/echo", velocy.websocket(echo, { ...limits, protocols: ["chat"] }));
};

const MESSAGES = [
  "hello",
  "",
  "café ☃ 🎉",
  "x".repeat(125),
  "x".repeat(126),
  "ü".repeat(40_000),
  "x".repeat(5_000_000),
];

/** @param {any} socket of the browser's kind */
async function talk(socket) {
  socket.binaryType = "arraybuffer";
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = reject;
  });
  /** @type {any[]} */
  const came = [];
  const bytes = new Uint8Array(70_000).map((_, i) => i * 3);
  const isAll = new Promise((resolve) => {
    socket.onmessage = (/** @type {any} */ { data }) => {
      came.push(data);
      if (came.length > MESSAGES.length) resolve(undefined);
    };
  });
  for (const message of MESSAGES) socket.send(message);
  socket.send(bytes);
  await isAll;
  assert.deepEqual(came.slice(0, -1), MESSAGES);
  assert.deepEqual(new Uint8Array(came.at(-1)), bytes);
  assert.equal(socket.protocol, "chat");
  assert.equal(socket.extensions, "");
  const closed = new Promise((resolve) => {
    socket.onclose = resolve;
  });
  socket.close(4001, "bye");
  const { code, wasClean } = /** @type {any} */ (await closed);
  assert.deepEqual([code, wasClean], [4001, true]);
}

for (const { server, velocy } of servers) {
  describe(`clients of npm's, on ${server}`, { skip }, () => testClients(velocy));
}

/** @param {any} velocy */
function testClients(velocy) {
  const addEcho = adderOfEcho(velocy);

  test("ws talks with it, also when it offers to compress", async (t) => {
    const port = await serve(t, velocy, addEcho);
    await talk(new WsClient(`ws://127.0.0.1:${port}/echo`, ["chat"]));
  });

  test("undici talks with it", async (t) => {
    const port = await serve(t, velocy, addEcho);
    await talk(new UndiciClient(`ws://127.0.0.1:${port}/echo`, ["chat"]));
  });

  test("ws sends fragments, pings in between, and is answered", async (t) => {
    const port = await serve(t, velocy, addEcho);
    const socket = new WsClient(`ws://127.0.0.1:${port}/echo`);
    await once(socket, "open");
    const pong = once(socket, "pong");
    const message = once(socket, "message");
    socket.send("caf", { fin: false });
    socket.ping("you");
    socket.send("é", { fin: true });
    assert.equal(String((await pong)[0]), "you");
    assert.equal(String((await message)[0]), "café");
    socket.close();
    await once(socket, "close");
  });

  test("ws is told why it isn't let in", async (t) => {
    const port = await serve(t, velocy, (router) => {
      addEcho(router);
      router.use("/guarded", (/** @type {any} */ _req, /** @type {any} */ res) => {
        res.status(401).text("who are you?");
      });
    });
    for (const [path, options, statusCode] of /** @type {[string, object, number][]} */ ([
      ["/guarded", {}, 401],
      ["/nothing", {}, 404],
      ["/echo", { origin: "http://evil.example" }, 403],
    ])) {
      const socket = new WsClient(`ws://127.0.0.1:${port}${path}`, options);
      const [, response] = await once(socket, "unexpected-response");
      assert.equal(response.statusCode, statusCode, path);
      response.destroy();
    }
  });

  test("ws answers pings, and isn't cut off", async (t) => {
    let isClosed = false;
    const port = await serve(t, velocy, (router) => {
      const listener = (/** @type {any} */ socket) => {
        socket.on("close", () => {
          isClosed = true;
        });
      };
      router.get("/idle", velocy.websocket(listener, { idle: 40 }));
    });
    const socket = new WsClient(`ws://127.0.0.1:${port}/idle`);
    await once(socket, "ping");
    await once(socket, "ping");
    await once(socket, "ping");
    assert.equal(isClosed, false);
    socket.terminate();
  });

  test("eventsource-parser reads what was sent, whatever the text", async (t) => {
    const texts = ["rain", "", " a", "a\nb", "a\r\nb", "a\rb", "\n", "\r\r", "a\n\ndata: b", "☃"];
    const port = await serve(t, velocy, (router) => {
      router.get("/events", (/** @type {any} */ req, /** @type {any} */ res) => {
        const stream = velocy.events(req, res);
        stream.comment("one\nevent: forged");
        for (const [i, data] of texts.entries()) {
          stream.send({ id: `${i}`, event: "news", data });
        }
        stream.send({ retry: 1234 });
        stream.close();
      });
    });
    /** @type {any[]} */
    const events = [];
    let retry = 0;
    const parser = createParser({
      onEvent: (/** @type {any} */ event) => events.push(event),
      onRetry: (/** @type {number} */ time) => {
        retry = time;
      },
    });
    const response = await fetch(`http://127.0.0.1:${port}/events`);
    parser.feed(await response.text());
    const expected = texts.map((data, i) => ({
      id: `${i}`,
      event: "news",
      data: data.replace(/\r\n|\r/g, "\n"),
    }));
    assert.deepEqual(events, expected);
    assert.equal(retry, 1234);
  });
}

import assert from "node:assert/strict";
import { once } from "node:events";
import net from "node:net";
import { Readable } from "node:stream";
import { after, before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { portOf } from "../router/ask.js";

/** @import { Server } from "node:http" */
/** @import { Velocy } from "./index.js" */

/** How long an answer may take, in milliseconds. */
const PATIENCE = 3_000;

/** Bodies of so many bytes are taken in, and the connection goes on. */
const SMALL = 64 * 1024;

/** What would be answered if a body were taken for a request. */
const EVIL = "GET /evil HTTP/1.1\r\nHost: x\r\n\r\n";

const LENGTHS = [1, 10_000, SMALL, SMALL + 1, 300_000, 5_000_000];

/** @type {Record<string, (req: any, res: any) => unknown>} */
const HANDLERS = {
  "doesn't look at it": () => "answer",
  "answers later": async () => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    return "answer";
  },
  "reads a piece, and stops": async (req) => {
    req.once("data", () => req.pause());
    await once(req, "data");
    return "answer";
  },
  "leaves a loop": async (req) => {
    for await (const chunk of req) if (chunk.length > 0) break;
    return "answer";
  },
  "leaves a loop, and asks for the signal": async (req) => {
    for await (const chunk of req) if (chunk.length > 0) break;
    return req.signal.aborted ? "aborted" : "answer";
  },
  "leaves a loop, and answers by a stream": async (req) => {
    for await (const chunk of req) if (chunk.length > 0) break;
    return Readable.from(["ans", "wer"]);
  },
  throws: () => {
    throw new Error("a handler failed");
  },
  "ends by hand": (_req, res) => {
    res.writeHead(200, { "content-length": 6 });
    res.end("answer");
  },
  "reads a piece, and sets keep-alive": async (req, res) => {
    req.once("data", () => req.pause());
    await once(req, "data");
    res.setHeader("connection", "keep-alive");
    return "answer";
  },
  "reads a piece, and gives keep-alive to writeHead": async (req, res) => {
    req.once("data", () => req.pause());
    await once(req, "data");
    res.writeHead(200, { "content-length": 6, Connection: "keep-alive" });
    res.end("answer");
  },
};

/** @type {Record<string, string>} */
const STATUS_CODES = { "a handler that throws": "500", "no route": "404" };

/** @param {Velocy} velocy */
export function testUnread({ createServer, Router, inTurn }) {
  testClosing({ createServer, Router, inTurn });

  /** @type {Server} */
  let server;
  let evils = 0;
  before(async () => {
    const router = new Router();
    const options = { bodyBytes: Infinity };
    for (const [index, handler] of Object.values(HANDLERS).entries()) {
      router.post(`/${index}`, options, handler);
    }
    router.get("/next", () => "next");
    router.get("/evil", () => {
      evils += 1;
      return "evil";
    });
    server = createServer(router, { onError: () => {} });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  const paths = Object.keys(HANDLERS).map((name, index) => [
    `/${index}`,
    `a handler that ${name}`,
  ]);
  for (const [path, name] of [...paths, ["/nowhere", "no route"]]) {
    describe(`${name} leaves nothing behind`, () => {
      for (const length of LENGTHS) {
        for (const isChunked of [false, true]) {
          const how = isChunked ? " in chunks" : "";
          test(`of ${length} bytes${how}`, async () => {
            const body = EVIL.repeat(Math.ceil(length / EVIL.length)).slice(
              0,
              length,
            );
            const port = portOf(server);
            const answers = await sendAll(
              port,
              requests(path, body, isChunked),
            );
            const [first, second, ...more] = answers;
            const [, code] = first.split(" ", 2);
            assert.equal(code, STATUS_CODES[name] ?? "200");
            assert.deepEqual(more, []);
            assert.equal(evils, 0, "the body was taken for a request");
            if (second !== undefined) assert.match(second, /next$/);
            const isSmall = length <= SMALL && !isChunked;
            if (isSmall)
              assert.ok(second, "the next request has no answer");
            else if (second === undefined)
              assert.match(first, /\r\nconnection: close\r\n/i);
          });
        }
      }
    });
  }
}

/** @type {Record<string, (res: any) => void>} */
const CLOSING = {
  "is set": (res) => res.setHeader("connection", "close"),
  "is given to writeHead": (res) =>
    res.writeHead(200, { Connection: "close" }),
  "is given in a list": (res) =>
    res.writeHead(200, ["Connection", "close"]),
};

/**
 * RFC 9112, section 9.6: nothing is carried out behind the answer that says
 * `Connection: close`, also while that answer is under way.
 *
 * @param {Velocy} velocy
 */
function testClosing({ createServer, Router, inTurn }) {
  for (const [what, close] of Object.entries(CLOSING)) {
    for (const length of [0, 10_000]) {
      const next = length === 0 ? "a request" : "a request with a body";
      test(`carries out no ${next.slice(2)} behind a close that ${what}`, async (t) => {
        /** @type {(value?: unknown) => void} */
        let end = () => {};
        const gate = new Promise((resolve) => {
          end = resolve;
        });
        let evils = 0;
        const router = new Router();
        const answer = async (
          /** @type {any} */ req,
          /** @type {any} */ res,
        ) => {
          await req.text();
          close(res);
          res.write("answer");
          await gate;
          res.end();
        };
        router.post("/", answer);
        router.post("/evil", () => {
          evils += 1;
          return "evil";
        });
        const server = createServer(router);
        t.after(() => {
          server.closeAllConnections();
          server.close();
        });
        server.listen(0, "127.0.0.1");
        await once(server, "listening");
        const port = portOf(server);
        const socket = net.connect(port, "127.0.0.1");
        socket.setEncoding("latin1");
        let received = "";
        socket.on("data", (chunk) => {
          received += chunk;
        });
        socket.setTimeout(PATIENCE, () => socket.destroy());
        const fields = "HTTP/1.1\r\nHost: x\r\nContent-Length:";
        socket.write(`POST / ${fields} 4\r\n\r\nread`);
        await once(socket, "data");
        // Twice: what comes behind a request that was dropped is too.
        for (let i = 0; i < 2; i += 1) {
          // In turn, its handler would come when all is over.
          const came = inTurn ? sleep(5) : once(server, "request");
          const body = "a".repeat(length);
          socket.write(`POST /evil ${fields} ${length}\r\n\r\n${body}`);
          await came;
        }
        end();
        await once(socket, "close");
        assert.equal(evils, 0);
        assert.match(received, /\r\nconnection: close\r\n/i);
        assert.match(received, /answer\r\n0\r\n\r\n$/);
      });
    }
  }
}

/** @param {string} path @param {string} body @param {boolean} isChunked */
function requests(path, body, isChunked) {
  const framing = isChunked
    ? "Transfer-Encoding: chunked"
    : `Content-Length: ${body.length}`;
  const framed = isChunked
    ? `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
    : body;
  return (
    `POST ${path} HTTP/1.1\r\nHost: x\r\n${framing}\r\n\r\n${framed}` +
    "GET /next HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
  );
}

/**
 * Sends all, and reads until the server closes.
 *
 * @param {number} port
 * @param {string} text
 * @returns {Promise<string[]>} the answers
 */
async function sendAll(port, text) {
  const socket = net.connect(port, "127.0.0.1").setEncoding("latin1");
  let received = "";
  socket.on("data", (chunk) => {
    received += chunk;
  });
  // Writing behind the last answer may fail; reading it may not.
  socket.on("error", () => {});
  socket.setTimeout(PATIENCE, () => socket.destroy());
  socket.write(text, "latin1");
  const end = once(socket, "end").then(() => "end");
  const close = once(socket, "close").then(() => "close");
  const how = await Promise.race([end, close]);
  socket.destroy();
  assert.equal(
    how,
    "end",
    `no end after ${JSON.stringify(received.slice(0, 200))}`,
  );
  return received.split(/(?=HTTP\/1\.1 \d)/);
}

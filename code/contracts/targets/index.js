/**
 * The contract for request targets, over raw sockets: one target, one
 * meaning, whoever reads it.
 *
 *     testTargets(async (routes) => ({ port, close }));
 */
import assert from "node:assert/strict";
import net from "node:net";
import { after, before, describe, test } from "node:test";
import { TARGET_GROUPS } from "./cases.js";

/**
 * Answers with what it sees: `{ route, path }`, as JSON.
 *
 * @typedef {(req: any, res: any) => void} Handler
 */

/**
 * Starts the server under test on a free port.
 *
 * @callback StartServer
 * @param {{ pattern: string, handler: Handler }[]} routes for GET
 * @returns {Promise<{ port: number, close: () => unknown }>}
 */

/** @param {StartServer} start */
export function testTargets(start) {
  /** @type {Awaited<ReturnType<StartServer>>} */
  let server;
  before(async () => {
    const routes = ["/admin", "/*"].map((pattern) => {
      return { pattern, handler: answerWith(pattern) };
    });
    server = await start(routes);
  });
  after(() => server.close());

  for (const { name, targets, ...group } of TARGET_GROUPS) {
    describe(name, () => {
      for (const [target, statusCode, path] of targets) {
        const { method = "GET", host = "example.com" } = group;
        test(`${method} ${quote(target)} gives ${path ?? statusCode}`, async () => {
          const head = `${method} ${target} HTTP/1.1\r\nHost: ${host}\r\n`;
          const bytes = `${head}Connection: close\r\n\r\n`;
          const response = await send(server.port, bytes);
          assert.equal(response.statusCode, statusCode);
          if (path === undefined) return;
          const route = path === "/admin" ? "/admin" : "/*";
          assert.deepEqual(JSON.parse(response.body), { route, path });
        });
      }
    });
  }
}

/**
 * @param {string} route
 * @returns {Handler}
 */
function answerWith(route) {
  return (req, res) => {
    const body = JSON.stringify({ route, path: req.path });
    res.writeHead(200, { "content-length": Buffer.byteLength(body) });
    res.end(body);
  };
}

/**
 * Sends bytes, and reads until the server closes.
 *
 * @param {number} port
 * @param {string} bytes latin1
 * @returns {Promise<{ statusCode: number, body: string }>}
 */
function send(port, bytes) {
  return new Promise((resolve, reject) => {
    const socket = net.connect(port, "127.0.0.1");
    /** @type {Buffer[]} */
    const chunks = [];
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.on("error", reject);
    socket.on("close", () => {
      const text = Buffer.concat(chunks).toString();
      const [head, body] = text.split("\r\n\r\n");
      resolve({ statusCode: Number(head.split(" ")[1]), body });
    });
    socket.write(Buffer.from(bytes, "latin1"));
  });
}

/** @param {string} target */
function quote(target) {
  return JSON.stringify(target).slice(1, -1);
}

/**
 * The contract for bodies.
 *
 * - `testBodies({ createServer, Router }, group)` asks a server the cases
 *   of a group, each over a socket.
 * - `testMultipart(read)` reads the corpus of multipart bodies, whole and
 *   cut at every byte.
 * - `post` and `exchange` send a body, and bytes.
 * - `testUnread({ createServer, Router })` leaves bodies unread, and asks
 *   for what comes after.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import http from "node:http";
import net from "node:net";
import { after, before, describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { portOf } from "../router/ask.js";
import { CASES } from "./cases.js";
import { addRoutes } from "./routes.js";

export { LIMITS, testMultipart } from "./multipart.js";
export { testUnread } from "./unread.js";
export { exchange, post };

/** @import { IncomingHttpHeaders, Server } from "node:http" */

/**
 * What is under test.
 *
 * @typedef {{ createServer: (router: any, options?: any) => Server, Router: any,
 *   inTurn?: boolean }} Velocy
 */

/**
 * @param {Velocy} velocy
 * @param {keyof typeof CASES} group
 */
export function testBodies({ createServer, Router }, group) {
  /** @type {Server} */
  let server;
  before(async () => {
    const router = new Router();
    addRoutes(router);
    server = createServer(router).listen(0, "127.0.0.1");
    await once(server, "listening");
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  for (const { name, section, cases } of CASES[group]) {
    describe(`${name} (${section})`, () => {
      for (const [what, path, fields, body, statusCode, answer] of cases) {
        test(`${what}: ${statusCode}`, async () => {
          const response = await post(portOf(server), path, fields, body);
          assert.equal(response.statusCode, statusCode, response.body);
          if (answer !== undefined) assert.equal(response.body, answer);
        });
      }
    });
  }
}

/**
 * Sends a body on a connection of its own.
 *
 * @param {number} port
 * @param {string} path
 * @param {Record<string, string>} fields
 * @param {string | Buffer} body
 * @returns {Promise<{ statusCode?: number, headers: IncomingHttpHeaders,
 *   body: string }>}
 */
function post(port, path, fields, body) {
  return new Promise((resolve, reject) => {
    const bytes = Buffer.from(body);
    const isChunked = fields["transfer-encoding"] !== undefined;
    const length = isChunked ? {} : { "content-length": bytes.length };
    const headers = { ...length, ...fields };
    const address = { host: "127.0.0.1", port, path, method: "POST" };
    const options = { ...address, headers, agent: false, timeout: 5_000 };
    const req = http.request(options, async (res) => {
      try {
        const chunks = await res.toArray();
        const text = Buffer.concat(chunks).toString();
        const { statusCode } = res;
        resolve({ statusCode, headers: res.headers, body: text });
      } catch (err) {
        reject(err);
      }
    });
    req.on("error", reject);
    req.on("timeout", () => req.destroy(new Error(`${path}: no answer`)));
    req.end(bytes);
  });
}

/** How long an answer may take, in milliseconds. */
const PATIENCE = 3_000;

const STATUS_LINES = /^HTTP\/1\.1 (\d{3}) /gm;

/**
 * Sends bytes on a connection of their own, and reads until the server
 * closes, or for a moment behind the final answer.
 *
 * @param {number} port
 * @param {string} text
 * @param {{ body?: string }} [options] is sent after a 100
 * @returns {Promise<{ statusCodes: number[], ending: "closed" | "open" }>}
 */
async function exchange(port, text, { body = "" } = {}) {
  const socket = net.connect(port, "127.0.0.1").setEncoding("latin1");
  /** @type {number[]} */
  const statusCodes = [];
  socket.on("error", () => {});
  const answered = new Promise((resolve) => {
    socket.on("data", (chunk) => {
      for (const [, code] of String(chunk).matchAll(STATUS_LINES)) {
        statusCodes.push(Number(code));
        if (code === "100") socket.write(body);
        else resolve(undefined);
      }
    });
    socket.on("close", resolve);
  });
  socket.setTimeout(PATIENCE, () => socket.destroy());
  const closed = once(socket, "end").then(
    () => /** @type {const} */ ("closed"),
  );
  socket.write(text, "latin1");
  await answered;
  const open = delay(200, /** @type {const} */ ("open"));
  const ending = await Promise.race([closed, open]);
  socket.destroy();
  return { statusCodes, ending };
}

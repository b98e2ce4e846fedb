/**
 * What a client sends behind an upgrade isn't lost while the server thinks.
 * The engine and node:http are held to the same.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import net from "node:net";
import { it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

/** @import { Duplex } from "node:stream" */

const UPGRADE = [
  "GET /ws HTTP/1.1",
  "Host: localhost",
  "Connection: Upgrade",
  "Upgrade: websocket",
  "Sec-WebSocket-Version: 13",
  "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
  "\r\n",
].join("\r\n");

/** @param {string} text */
function frameOf(text) {
  const head = [0x81, 0x80 + text.length, 0, 0, 0, 0];
  return Buffer.concat([Buffer.from(head), Buffer.from(text)]);
}

const onPlain = (/** @type {number} */ port) =>
  net.connect(port, "127.0.0.1");

/**
 * @param {any} velocy
 * @param {{ options?: () => object, connect?: (port: number) => Duplex }} [way]
 */
export function testHandedOver(velocy, { options, connect } = {}) {
  const { createServer, Router, websocket } = velocy;
  it("has what a client sends behind an upgrade while a guard thinks", async (t) => {
    const router = new Router();
    router.use(
      async (
        /** @type {any} */ _req,
        /** @type {any} */ _res,
        /** @type {() => any} */ next,
      ) => {
        await sleep(300);
        return next();
      },
    );
    /** @type {string[]} */
    const seen = [];
    router.get(
      "/ws",
      websocket((/** @type {any} */ socket) => {
        socket.on("message", (/** @type {string} */ text) => {
          seen.push(text);
          socket.send(text);
        });
      }),
    );
    const server = createServer(router, options?.()).listen(0, "127.0.0.1");
    await once(server, "listening");
    const client = (connect ?? onPlain)(server.address().port);
    t.after(() => {
      client.destroy();
      server.close();
    });
    client.write(UPGRADE);
    // A read of its own, before anybody listens.
    await sleep(100);
    client.write(frameOf("early"));
    for await (const chunk of client) {
      if (chunk.includes("101")) client.write(frameOf("late"));
      if (chunk.includes("late")) break;
    }
    assert.deepEqual(seen, ["early", "late"]);
  });
}

import assert from "node:assert/strict";
import { once } from "node:events";
import net from "node:net";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { RedisClient } from "../lib/redis/client.js";

/**
 * A Redis that greets, and answers nothing else unless it is told to.
 *
 * @param {import("node:test").TestContext} t
 * @param {boolean} [isEnding] whether it ends a connection that it greeted
 */
async function startHanging(t, isEnding = false) {
  const state = { answers: false, connections: 0 };
  const server = net.createServer((socket) => {
    state.connections += 1;
    t.after(() => socket.destroy());
    socket.on("error", () => {});
    socket.on("data", (chunk) => {
      if (isEnding) return void socket.end("%0\r\n");
      const count = String(chunk).split(/^\*\d+\r\n/m).length - 1;
      if (String(chunk).includes("HELLO")) socket.write("%0\r\n");
      else if (state.answers) socket.write("+OK\r\n".repeat(count));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  const { port } = /** @type {net.AddressInfo} */ (server.address());
  const client = new RedisClient(`redis://127.0.0.1:${port}`, 50);
  t.after(() => client.close());
  return { client, state };
}

describe("Redis hangs", () => {
  it("isn't waited for by most of those who ask", async (t) => {
    const { client } = await startHanging(t);
    const asked = [];
    for (let i = 0; i < 150; i += 1) {
      const start = performance.now();
      const time = () => performance.now() - start;
      asked.push(client.command("SET", "a", "b").then(time, time));
      await sleep(10);
    }
    const waits = (await Promise.all(asked)).filter((time) => time > 5);
    assert.ok(waits.length < 60, `${waits.length} of 150 have waited`);
  });

  it("is greeted again after pauses that grow", async (t) => {
    const { client, state } = await startHanging(t);
    const end = performance.now() + 2_000;
    while (performance.now() < end) {
      await client.command("SET", "a", "b").catch(() => {});
      await sleep(5);
    }
    assert.ok(state.connections >= 3, `${state.connections} connections`);
    assert.ok(state.connections <= 9, `${state.connections} connections`);
  });

  it("is greeted after the same pauses if it ends what it greeted", async (t) => {
    const { state } = await startHanging(t, true);
    await sleep(2_000);
    assert.ok(state.connections >= 3, `${state.connections} connections`);
    assert.ok(state.connections <= 9, `${state.connections} connections`);
  });

  it("is asked again when it answers again", async (t) => {
    const { client, state } = await startHanging(t);
    const start = performance.now();
    let reply = "";
    while (reply !== "OK" && performance.now() - start < 10_000) {
      state.answers = performance.now() - start > 500;
      const asked = client.command("SET", "a", "b");
      reply = await asked.catch(() => "");
      await sleep(10);
    }
    assert.equal(reply, "OK");
    assert.equal(await client.command("SET", "a", "b"), "OK");
  });
});

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { connectTo, requestFor } from "../../contracts/realtime/client.js";
import { frame } from "../../contracts/realtime/frames.js";
import { websocket } from "../index.js";
import { open, serve, waitUntil } from "./support.js";

const skip = process.env.CHALLENGE !== "2" && "challenge 2";

describe("Challenges", { skip }, () => {
  it("has a client wait that doesn't read, and cuts nobody", async (t) => {
    /** @type {any[][]} */
    const closed = [];
    let most = 0;
    const { port } = await serve(t, (router) => {
      const route = websocket(
        (socket) => {
          socket.on("message", (data) => {
            if (!socket.send(data)) socket.pause();
            most = Math.max(most, socket.bufferedBytes);
          });
          socket.on("drain", () => socket.resume());
          socket.on("close", (...how) => closed.push(how));
        },
        { bufferedBytes: 4_000_000 },
      );
      router.get("/echo", route);
    });
    const client = connectTo(port).pause();
    t.after(() => client.destroy());
    client.on("error", () => {});
    client.write(requestFor("/echo"));
    const many = Buffer.concat(
      new Array(1000).fill(frame(1, "x".repeat(1000))),
    );
    for (let i = 0; i < 60; i += 1) {
      client.write(many);
      await sleep(2);
    }
    await sleep(200);
    assert.deepEqual(closed, []);
    assert.ok(most < 1_000_000, `${most} bytes waited in the server`);
    let received = 0;
    client.on("data", (chunk) => {
      received += chunk.length;
    });
    client.resume();
    await waitUntil(() => received > 60_000 * 1004);
  });

  it("cuts nobody for the silence of a socket that is paused", async (t) => {
    /** @type {any} */
    let socket;
    let isClosed = false;
    const { port } = await serve(t, (router) => {
      const route = websocket(
        (each) => {
          socket = each;
          each.on("message", () => {});
          each.on("close", () => {
            isClosed = true;
          });
        },
        { idle: 30 },
      );
      router.get("/idle", route);
    });
    await open(t, port, "/idle");
    await sleep(10);
    socket.pause();
    await sleep(250);
    assert.equal(isClosed, false);
    socket.resume();
    await waitUntil(() => isClosed);
  });
});

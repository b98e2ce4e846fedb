import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Rooms, websocket } from "../index.js";
import { open, serve, waitUntil } from "./support.js";

const skip = process.env.CHALLENGE !== "1" && "challenge 1";

describe("Challenges", { skip }, () => {
  it("offers to those only for whom nothing waits", async (t) => {
    const rooms = new Rooms();
    /** @type {any[]} */
    const sockets = [];
    const { port } = await serve(t, (router) => {
      const route = websocket(
        (socket) => {
          sockets.push(socket);
          rooms.join("game", socket);
        },
        { bufferedBytes: Infinity },
      );
      router.get("/game", route);
    });
    const slow = await open(t, port, "/game");
    const fast = await open(t, port, "/game");
    await waitUntil(() => sockets.length === 2);
    slow.pause();
    for (let i = 0; i < 100; i += 1) sockets[0].send(Buffer.alloc(500_000));
    assert.ok(
      sockets[0].bufferedBytes > 0,
      "something waits for the slow one",
    );
    assert.equal(rooms.offer("game", "1"), 1);
    await fast.untilFrames(1);
    assert.equal(String(fast.frames[0].payload), "1");
    slow.resume();
    await waitUntil(() => sockets[0].bufferedBytes === 0);
    assert.equal(rooms.offer("game", "2"), 2);
    await slow.untilFrames(101);
    assert.equal(String(slow.frames[100].payload), "2");
    sockets[1].close();
    assert.equal(rooms.offer("game", "3"), 1);
    assert.equal(rooms.offer("nobody", "4"), 0);
    assert.throws(() => rooms.offer("game", {}), {
      code: "ERR_MESSAGE_INVALID",
    });
  });
});

import assert from "node:assert/strict";
import net from "node:net";
import { describe, it } from "node:test";
import * as velocy from "../index.js";
import { serve, waitUntil } from "./support.js";

/** @import { TestContext } from "node:test" */

const skip = process.env.CHALLENGE !== "3" && "challenge 3";
const { events } = velocy;
const { Channel } = /** @type {any} */ (velocy);

/** @param {TestContext} t @param {any} channel */
async function start(t, channel) {
  const { port } = await serve(t, (router) => {
    router.get("/news", (req, res) => channel.add(events(req, res)));
  });
  return (/** @type {string} */ lastEventId) => {
    const socket = net.connect(port, "127.0.0.1");
    t.after(() => socket.destroy());
    const id =
      lastEventId === "" ? "" : `Last-Event-ID: ${lastEventId}\r\n`;
    socket.write(`GET /news HTTP/1.1\r\nHost: x\r\n${id}\r\n`);
    const reader = { text: "", leave: () => socket.destroy() };
    socket.on("data", (chunk) => {
      reader.text += chunk;
    });
    return reader;
  };
}

/** @param {string} text */
const seen = (text) =>
  [...text.matchAll(/^(?:event: (\w+)|data: (\w+))$/gm)].map(
    ([, event, data]) => event ?? data,
  );

describe("Challenges", { skip }, () => {
  it("sends each event to all, with the next id", async (t) => {
    const channel = new Channel(2);
    const read = await start(t, channel);
    channel.send({ data: "past" });
    const readers = [read(""), read("")];
    await waitUntil(() => channel.size === 2);
    channel.send({ data: "rain" });
    channel.send({ event: "alarm", data: "fire" });
    for (const reader of readers) {
      await waitUntil(() => reader.text.includes("fire"));
      assert.ok(reader.text.includes("id: 2\ndata: rain\n\n"), reader.text);
      assert.ok(
        reader.text.includes("event: alarm\nid: 3\ndata: fire\n\n"),
        reader.text,
      );
      assert.ok(!reader.text.includes("past"), reader.text);
      reader.leave();
    }
    await waitUntil(() => channel.size === 0);
  });

  for (const [id, expected] of /** @type {[string, string[]][]} */ ([
    ["5", ["next"]],
    ["4", ["e", "next"]],
    ["2", ["c", "d", "e", "next"]],
    ["1", ["gap", "c", "d", "e", "next"]],
    ["0", ["gap", "c", "d", "e", "next"]],
    ["6", ["gap", "c", "d", "e", "next"]],
    ["x", ["gap", "c", "d", "e", "next"]],
    ["-1", ["gap", "c", "d", "e", "next"]],
    ["4.0", ["gap", "c", "d", "e", "next"]],
  ])) {
    it(`sends who comes back with ${id}: ${expected}`, async (t) => {
      const channel = new Channel(3);
      const read = await start(t, channel);
      for (const data of ["a", "b", "c", "d", "e"]) channel.send({ data });
      const reader = read(id);
      await waitUntil(() => channel.size === 1);
      channel.send({ data: "next" });
      await waitUntil(() => reader.text.includes("next"));
      assert.deepEqual(seen(reader.text), expected);
    });
  }

  it("gives nobody a gap where nothing was missed", async (t) => {
    const channel = new Channel(3);
    const read = await start(t, channel);
    const reader = read("0");
    await waitUntil(() => channel.size === 1);
    channel.send({ data: "first" });
    await waitUntil(() => reader.text.includes("first"));
    assert.deepEqual(seen(reader.text), ["first"]);
  });
});

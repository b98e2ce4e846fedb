import assert from "node:assert/strict";
import { once } from "node:events";
import { describe, it } from "node:test";
import v8 from "node:v8";
import vm from "node:vm";
import { openConnection, Router } from "../index.js";
import { HeldBytes } from "../lib/engine/held-bytes.js";
import { createServer } from "../lib/engine/index.js";

v8.setFlagsFromString("--expose-gc");
/** @type {() => void} */
const collectGarbage = vm.runInNewContext("gc");

const REQUEST = `GET / HTTP/1.1\r\nHost: a\r\nX: ${"y".repeat(3000)}\r\n\r\n`;
/** Each piece ends in the beginning of a request. */
const BEGINNING = 10;
const PIECE = REQUEST.slice(BEGINNING) + REQUEST.slice(0, BEGINNING);
const ROUND = 500;

/** @returns {Promise<number>} bytes of all buffers */
async function buffers() {
  for (let i = 0; i < 3; i += 1) {
    collectGarbage();
    await new Promise((resolve) => setImmediate(resolve));
  }
  return process.memoryUsage().arrayBuffers;
}

describe("A head in any pieces", () => {
  it("holds nothing when it was cleared while it was read", () => {
    const held = new HeldBytes();
    const bytes = Buffer.from("GET / HTTP/1.1\r\n");
    assert.equal(held.append(bytes, 0, bytes.length), true);
    held.clear();
    held.keepFrom(bytes.length);
    assert.equal(held.length, 0);
    assert.equal(held.append(bytes, 0, 5), false);
    assert.equal(
      held.bytes.toString("latin1", held.start, held.end),
      "GET /",
    );
  });

  it("keeps nothing of requests that were read, and takes as long for the last as for the first", async () => {
    const router = new Router().get("/", () => "hello");
    const client = openConnection(createServer(router));
    client.on("error", () => {});
    let answers = 0;
    client.on("data", (chunk) => {
      answers += chunk.toString("latin1").split("hello").length - 1;
    });
    client.write(REQUEST.slice(0, BEGINNING));
    let expected = 0;
    const sendRound = async () => {
      const start = process.cpuUsage();
      for (let i = 0; i < ROUND; i += 1) {
        client.write(PIECE);
        expected += 1;
        while (answers < expected) await once(client, "data");
      }
      const { user, system } = process.cpuUsage(start);
      return user + system;
    };
    await sendRound();
    const before = await buffers();
    const times = [];
    for (let round = 0; round < 5; round += 1)
      times.push(await sendRound());
    const grown = (await buffers()) - before;
    client.destroy();
    assert.ok(grown < 500_000, `${grown} bytes more`);
    const [first, , , , last] = times;
    assert.ok(last < 3 * first, `${first} us at first, ${last} at last`);
  });
});

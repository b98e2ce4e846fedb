import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createServer, openConnection, Router } from "../index.js";

const skip = process.env.CHALLENGE !== "2" && "challenge 2";
const HEAD = "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";

/** @param {(req: any) => unknown} handler */
function connect(handler) {
  const router = new Router().get("/", handler);
  const client = openConnection(createServer(router));
  client.write(HEAD);
  return client;
}

describe("Challenges", { skip }, () => {
  /** @type {(connection: any, bytes: number) => AsyncIterable<Buffer>} */
  let throttle;
  before(async () => {
    const file = "../lib/testing/throttle.js";
    throttle = (await import(file)).throttle;
  });

  it("gives all bytes, a few at a time", async () => {
    const chunks = [];
    const client = connect(() => "0123456789".repeat(100));
    for await (const chunk of throttle(client, 7)) chunks.push(chunk);
    assert.ok(chunks.length > 100, `${chunks.length} chunks`);
    const lengths = chunks.map(({ length }) => length);
    assert.ok(Math.max(...lengths) <= 7, `${lengths}`);
    assert.ok(Math.min(...lengths) > 0, `${lengths}`);
    assert.match(
      String(Buffer.concat(chunks)),
      /\r\n\r\n(0123456789){100}$/,
    );
  });

  it("takes nothing between two turns", async () => {
    let made = 0;
    const client = connect(async function* generate() {
      for (; made < 5000; made += 1) yield Buffer.alloc(10_000);
    });
    let turns = 0;
    for await (const _ of throttle(client, 1000)) {
      turns += 1;
      if (turns === 10) break;
      await sleep(5);
    }
    assert.ok(made < 500, `${made} chunks for ten thousand bytes`);
  });

  it("ends when the connection does", async () => {
    const client = connect(() => "short");
    let text = "";
    for await (const chunk of throttle(client, 1_000_000)) text += chunk;
    assert.match(text, /short$/);
  });
});

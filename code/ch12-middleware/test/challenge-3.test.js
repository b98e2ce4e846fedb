import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { ask, listen } from "../../contracts/router/ask.js";
import { createServer, Router } from "../index.js";

describe("Challenges", {
  skip: process.env.CHALLENGE !== "3" && "challenge 3",
}, () => {
  async function get(t, handler, ...names) {
    const { timing } = await import("../lib/middleware/timing.js");
    const errors = [];
    const router = new Router().get("/", ...names.map(timing), handler);
    const onError = (err) => errors.push(err);
    const port = await listen(t, createServer(router, { onError }));
    const response = await ask(port, "GET", "/");
    assert.deepEqual(errors, [], "nothing went wrong on the side");
    return response;
  }

  it("tells how long a promise took", async (t) => {
    const handler = () => sleep(20, "done");
    const { headers, body } = await get(t, handler, "work");
    const [, text] = /^work;dur=(\d+\.\d)$/.exec(headers["server-timing"]);
    const duration = Number(text);
    assert.ok(duration > 15 && duration < 2000, `${duration} milliseconds`);
    assert.equal(body, "done");
  });

  it("tells it of a value that is there at once", async (t) => {
    const { headers, body } = await get(t, () => ({ a: 1 }), "work");
    assert.match(headers["server-timing"], /^work;dur=\d+\.\d$/);
    assert.equal(body, '{"a":1}');
  });

  it("leaves the field's other members", async (t) => {
    const { headers } = await get(t, () => "done", "outside", "inside");
    const form = /^inside;dur=[\d.]+, outside;dur=[\d.]+$/;
    assert.match(headers["server-timing"], form);
  });

  it("says nothing of what was answered by hand", async (t) => {
    for (const handler of [
      (_req, res) => {
        res.end("by hand");
      },
      (_req, res) => res.end("by hand"),
      async (_req, res) => {
        await sleep(1);
        res.end("by hand");
      },
    ]) {
      const { headers, body } = await get(t, handler, "work");
      assert.equal(headers["server-timing"], undefined);
      assert.equal(body, "by hand");
    }
  });
});

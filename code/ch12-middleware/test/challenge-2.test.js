import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import { describe, it } from "node:test";
import { ask, listen } from "../../contracts/router/ask.js";
import { createServer, HttpError, Router } from "../index.js";

describe("Challenges", {
  skip: process.env.CHALLENGE !== "2" && "challenge 2",
}, () => {
  async function serve(t, most, handler) {
    const { limit } = await import("../lib/middleware/limit.js");
    const router = new Router().use(limit(most)).get("/*", handler);
    return listen(t, createServer(router, { onError: () => {} }));
  }

  it("lets so many through at a time, and not more", async (t) => {
    const events = new EventEmitter();
    const port = await serve(t, 2, async () => {
      events.emit("arrived");
      await once(events, "go on");
      return "done";
    });
    const waiting = [];
    for (let i = 0; i < 2; i += 1) {
      const arrived = once(events, "arrived");
      waiting.push(ask(port, "GET", "/"));
      await arrived;
    }
    const refused = await ask(port, "GET", "/");
    assert.equal(refused.statusCode, 503);
    assert.equal(refused.headers["retry-after"], "1");
    events.emit("go on");
    for (const answer of waiting) {
      assert.equal((await answer).body, "done");
    }
    const arrived = once(events, "arrived");
    const later = ask(port, "GET", "/");
    await arrived;
    events.emit("go on");
    assert.equal((await later).body, "done");
  });

  it("forgets those who failed or left", async (t) => {
    const events = new EventEmitter();
    const port = await serve(t, 1, (req, res) => {
      if (req.path === "/fails") throw new HttpError(409);
      if (req.path === "/crashes") throw new Error("no");
      if (req.path === "/ok") return "ok";
      res.once("close", () => events.emit("left"));
      events.emit("arrived");
      return new Promise(() => {});
    });
    for (const path of ["/fails", "/crashes"]) await ask(port, "GET", path);
    const leave = new AbortController();
    const arrived = once(events, "arrived");
    const gone = ask(port, "GET", "/waits", { signal: leave.signal });
    await arrived;
    const left = once(events, "left");
    leave.abort();
    await assert.rejects(gone, { name: "AbortError" });
    await left;
    assert.equal((await ask(port, "GET", "/ok")).body, "ok");
  });

  it("counts a response until it is closed", async (t) => {
    const events = new EventEmitter();
    const port = await serve(t, 1, (req, res) => {
      if (req.path === "/other") return "other";
      res.write("some");
      events.emit("arrived");
      events.once("go on", () => res.end(" more"));
      return undefined;
    });
    const arrived = once(events, "arrived");
    const first = ask(port, "GET", "/slow");
    await arrived;
    assert.equal((await ask(port, "GET", "/other")).statusCode, 503);
    events.emit("go on");
    assert.equal((await first).body, "some more");
    assert.equal((await ask(port, "GET", "/other")).body, "other");
  });
});

import assert from "node:assert/strict";
import net from "node:net";
import { describe, it } from "node:test";
import { post } from "../../contracts/bodies/index.js";
import { listen } from "../../contracts/router/ask.js";
import { createServer, Router } from "../index.js";

const skip = process.env.CHALLENGE !== "3" && "challenge 3";

/**
 * Sends half a body, and gives what comes back.
 *
 * @param {number} port
 * @param {string} path
 * @returns {Promise<string>}
 */
function sendHalf(port, path) {
  return new Promise((resolve) => {
    const socket = net.connect(port, "127.0.0.1").setEncoding("latin1");
    socket.setTimeout(2_000, () => socket.emit("data", "no answer"));
    socket.once("data", (text) => {
      socket.destroy();
      resolve(String(text));
    });
    socket.on("error", () => {});
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabcde`,
    );
  });
}

describe("Challenges", { skip }, () => {
  it("answers 408 to whoever is too slow, whatever reads", async (t) => {
    const options = /** @type {any} */ ({ bodyTimeout: 100 });
    const router = new Router();
    router.post("/text", options, (req) => req.text());
    router.post("/loop", options, async (req) => {
      for await (const chunk of req) assert.notEqual(chunk.length, 10);
      return "read";
    });
    router.post("/events", options, (req, res) => {
      req.on("data", () => {});
      req.on("end", () => res.end("read"));
    });
    const port = await listen(t, createServer(router));
    for (const path of ["/text", "/loop", "/events"]) {
      assert.match(await sendHalf(port, path), /^HTTP\/1\.1 408 /, path);
      const { statusCode } = await post(port, path, {}, "abc");
      assert.equal(statusCode, 200, path);
    }
  });

  it("counts from the first time that somebody asks", async (t) => {
    const options = /** @type {any} */ ({ bodyTimeout: 100 });
    const router = new Router().post("/", options, async (req) => {
      await new Promise((resolve) => setTimeout(resolve, 300));
      return req.text();
    });
    const port = await listen(t, createServer(router));
    assert.equal((await post(port, "/", {}, "abc")).body, "abc");
  });

  it("ends no request that has its body", async (t) => {
    /** @type {unknown[]} */
    const told = [];
    const options = /** @type {any} */ ({ bodyTimeout: 50 });
    const router = new Router().post("/", options, async (req) => {
      const text = await req.text();
      await new Promise((resolve) => setTimeout(resolve, 200));
      return text;
    });
    const server = createServer(router, {
      onError: (err) => told.push(err),
    });
    const port = await listen(t, server);
    assert.equal((await post(port, "/", {}, "abc")).body, "abc");
    assert.deepEqual(told, []);
  });

  for (const bodyTimeout of [0, -1, "5s", NaN, Infinity, 2 ** 31]) {
    it(`is no ${String(bodyTimeout)}`, () => {
      const options = /** @type {any} */ ({ bodyTimeout });
      const add = () => new Router().post("/", options, () => {});
      assert.throws(add, { code: "ERR_OPTION_INVALID" });
    });
  }
});

import assert from "node:assert/strict";
import net from "node:net";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import {
  makePieces,
  makeRequests,
} from "../../contracts/http/some-requests.js";
import { ask, listen } from "../../contracts/router/ask.js";
import { compress, events, Router, websocket } from "../index.js";
import { createServer } from "../lib/engine/index.js";
import { Choices } from "../lib/testing/choices.js";

/** More than this takes longer than a test should. */
const CLIENTS = Number(process.env.CHAOS ?? 1500);
const AT_ONCE = 48;

/** Answers of every sort, some of which fail. */
function addRoutes(/** @type {any} */ router) {
  router.use("/packed", compress());
  router.get("/packed", () => "x".repeat(50_000));
  router.get("/now", () => "now");
  router.get("/later", () => sleep(3, "later"));
  router.get("/large", () => "x".repeat(400_000));
  router.get("/stream", async function* stream() {
    for (let i = 0; i < 20; i += 1) {
      yield "x".repeat(2000);
      await sleep(1);
    }
  });
  router.get("/fails", () => Promise.reject(new Error("told")));
  router.get("/cut", async function* cut() {
    yield "half";
    throw new Error("told");
  });
  router.get(
    "/twice",
    (/** @type {any} */ _req, /** @type {any} */ res) => {
      res.end("once");
      res.end("twice");
    },
  );
  router.get(
    "/early",
    (/** @type {any} */ _req, /** @type {any} */ res) => {
      res.writeEarlyHints({ link: "</a>; rel=preload" });
      return sleep(1, "early");
    },
  );
  router.get("/destroys", (/** @type {any} */ req) => {
    req.socket.destroy();
  });
  router.get(
    "/events",
    (/** @type {any} */ req, /** @type {any} */ res) => {
      const stream = events(req, res);
      for (let i = 0; i < 5; i += 1) stream.send({ data: `${i}` });
      setTimeout(() => stream.close(), 4);
    },
  );
  router.get(
    "/socket",
    websocket((/** @type {any} */ socket) => {
      socket.on("message", (/** @type {any} */ data) => socket.send(data));
      socket.send("hello");
    }),
  );
  router.post("/reads", async (/** @type {any} */ req) => {
    return String((await req.bytes()).length);
  });
  router.post("/ignores", () => "ignored");
  router.post(
    "/pipes",
    (/** @type {any} */ req, /** @type {any} */ res) => {
      req.pipe(res);
    },
  );
}

const GETS =
  "now later large stream fails cut twice early destroys events packed none".split(
    " ",
  );
const POSTS = "reads ignores pipes".split(" ");

/** @param {Choices} choices @returns {Buffer} */
function makeBytes(choices) {
  const parts = choices.list(4, () =>
    choices.pick([
      () => `GET /${choices.pick(GETS)} HTTP/1.1\r\nHost: a\r\n\r\n`,
      () =>
        `GET /${choices.pick(GETS)} HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n`,
      () =>
        `POST /${choices.pick(POSTS)} HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nnine byte`,
      () =>
        `POST /${choices.pick(POSTS)} HTTP/1.1\r\nHost: a\r\nContent-Length: 90000\r\n\r\n${"x".repeat(choices.below(90_000))}`,
      () =>
        `POST /${choices.pick(POSTS)} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nX: y\r\n\r\n`,
      () =>
        `POST /${choices.pick(POSTS)} HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\nabc`,
      () =>
        "GET /socket HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n\x81\x81\0\0\0\0a",
      () => makeRequests(choices).toString("latin1"),
    ])(),
  );
  return Buffer.from(parts.join(""), "latin1");
}

/** @param {Choices} choices @param {number} port */
async function misbehave(choices, port) {
  const pieces = makePieces(choices, makeBytes(choices));
  const reads = choices.below(4) > 0;
  const way = choices.pick(
    /** @type {const} */ (["end", "destroy", "resetAndDestroy"]),
  );
  const pauses = pieces.map(() => choices.below(3));
  const last = choices.below(8);
  const socket = net.connect(port, "127.0.0.1");
  socket.on("error", () => {});
  // once() of node:events would fail with what the server has cut.
  const gone = new Promise((resolve) => socket.once("close", resolve));
  const there = new Promise((resolve) => socket.once("connect", resolve));
  await Promise.race([there, gone]);
  if (reads) socket.resume();
  for (const [i, piece] of pieces.entries()) {
    if (socket.writable) socket.write(piece);
    if (pauses[i] > 0) await sleep(pauses[i]);
  }
  await sleep(last);
  socket[way]();
  if (way === "end") {
    socket.resume();
    await Promise.race([gone, sleep(20)]);
    socket.destroy();
  }
  await gone;
}

describe("Who sends too much, who waits too long", () => {
  it(`survives ${CLIENTS} clients of every sort, and tells only what its handlers did`, {
    timeout: 600_000,
  }, async (t) => {
    const router = new Router();
    addRoutes(router);
    /** @type {Set<string>} */
    const told = new Set();
    const onError = (/** @type {any} */ err) => {
      told.add(err.code ?? err.message);
    };
    const server = createServer(router, { onError });
    const port = await listen(t, server);
    const choices = Choices.byChance(22);
    let left = CLIENTS;
    const work = async () => {
      while (left > 0) {
        left -= 1;
        await misbehave(choices, port);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    assert.equal((await ask(port, "GET", "/now")).body, "now");
    const count = () =>
      new Promise((resolve) => {
        server.getConnections((_err, number) => resolve(number));
      });
    for (let i = 0; i < 200 && (await count()) !== 0; i += 1)
      await sleep(25);
    assert.equal(await count(), 0, "connections are left");
    const expected = ["told", "ERR_STREAM_WRITE_AFTER_END"];
    const others = [...told].filter((code) => !expected.includes(code));
    assert.deepEqual(others, []);
  });
});

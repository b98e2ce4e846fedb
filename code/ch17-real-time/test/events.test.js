import assert from "node:assert/strict";
import { once } from "node:events";
import net from "node:net";
import { Writable } from "node:stream";
import { after, before, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { startProgram } from "../../contracts/http/index.js";
import {
  connectTo,
  RawSocket,
  requestFor,
} from "../../contracts/realtime/client.js";
import { close, frame } from "../../contracts/realtime/frames.js";
import { testRealtime } from "../../contracts/realtime/index.js";
import { ask } from "../../contracts/router/ask.js";
import * as velocy from "../index.js";
import { open, serve, waitUntil } from "./support.js";

const { compress, events, HttpError, websocket } = velocy;
const { log, MemoryStore, Rooms, sessions } = velocy;

const TEXT = 1;
const SECRETS = ["a secret of at least thirty-two bytes"];

function countTimers() {
  const names = process.getActiveResourcesInfo();
  return names.filter((name) => name === "Timeout").length;
}

const REQUEST =
  "GET /stream HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\n\r\n";

/** @type {Awaited<ReturnType<ReturnType<typeof startProgram>>>} */
let program;
before(async () => {
  program = await startProgram(new URL("..", import.meta.url))({
    limits: {},
  });
});
after(() => program?.close());

describe("Real time", () => {
  it("sends news to whoever reads, and the past to who comes back", async (t) => {
    const address = `http://127.0.0.1:${program.port}/news`;
    const leaving = new AbortController();
    t.after(() => leaving.abort());
    const { signal } = leaving;
    await fetch(address, { method: "POST", body: "rain" });
    const headers = { "last-event-id": "0" };
    const { body } = await fetch(address, { headers, signal });
    assert.ok(body, "there is a body");
    let text = "";
    const reading = (async () => {
      for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
        text += chunk;
        if (text.includes("sun")) return;
      }
    })();
    await fetch(address, { method: "POST", body: "sun" });
    await reading;
    assert.equal(text, "id: 1\ndata: rain\n\nid: 2\ndata: sun\n\n");
  });

  it("lets two people talk in a room, and nobody hears of another one", async (t) => {
    const first = await open(t, program.port, "/chat/tea");
    await first.untilFrames(1);
    const second = await open(t, program.port, "/chat/tea");
    const third = await open(t, program.port, "/chat/coffee");
    await third.untilFrames(1);
    await first.untilFrames(2);
    second.send(frame(TEXT, "<b>hello"));
    await first.untilFrames(3);
    const [, , { payload }] = first.frames;
    assert.equal(JSON.parse(String(payload)).text, "<b>hello");
    second.send(close(1000));
    await first.untilFrames(4);
    assert.equal(
      JSON.parse(String(first.frames[3].payload)).text,
      "has left",
    );
    assert.equal(third.frames.length, 1);
  });
});

describe("A line too many", () => {
  testRealtime(velocy, { groups: ["events"] });
});

describe("An answer that doesn't end", () => {
  it("sends its head before there is an event, and keeps proxies from gathering", async (t) => {
    const { port } = await serve(t, (router) => {
      router.use(compress());
      router.get("/stream", (req, res) => {
        events(req, res);
      });
    });
    const socket = net.connect(port, "127.0.0.1");
    t.after(() => socket.destroy());
    socket.write(REQUEST);
    const [head] = await once(socket, "data");
    assert.match(String(head), /content-type: text\/event-stream\r\n/i);
    assert.match(String(head), /cache-control: no-store, no-transform/i);
    assert.match(String(head), /x-accel-buffering: no/i);
    assert.doesNotMatch(String(head), /content-encoding/i);
  });

  for (const event of /** @type {any[]} */ ([
    "rain",
    { type: "alarm" },
    null,
  ])) {
    it(`refuses to send ${JSON.stringify(event)}`, async (t) => {
      const { port, errors } = await serve(t, (router) => {
        router.get("/stream", (req, res) => {
          const stream = events(req, res);
          try {
            stream.send(event);
          } finally {
            stream.close();
          }
        });
      });
      assert.equal((await ask(port, "GET", "/stream")).body, "");
      assert.match(errors[0].err.code, /^ERR_OPTIONS?_(INVALID|UNKNOWN)$/);
    });
  }

  it("answers HEAD with the head", async (t) => {
    const { port } = await serve(t, (router) => {
      router.get("/stream", (req, res) => {
        events(req, res).send({ data: "x" });
      });
    });
    const { statusCode, headers, body } = await ask(
      port,
      "HEAD",
      "/stream",
    );
    assert.equal(statusCode, 200);
    assert.equal(headers["content-type"], "text/event-stream");
    assert.equal(body, "");
  });

  it("is never compressed, also where the program sets Cache-Control", async (t) => {
    const { port } = await serve(t, (router) => {
      router.use(compress());
      router.get("/stream", (req, res) => {
        res.setHeader("cache-control", "private");
        events(req, res).close();
      });
    });
    const headers = { "accept-encoding": "gzip" };
    const answer = await ask(port, "GET", "/stream", { headers });
    assert.equal(answer.headers["cache-control"], "private, no-transform");
    assert.equal(answer.headers["content-encoding"], undefined);
  });

  it("keeps nobody who has only asked for the head", async () => {
    const address = `http://127.0.0.1:${program.port}`;
    for (let i = 0; i < 5; i += 1) {
      await fetch(`${address}/news`, { method: "HEAD" });
    }
    const count = async () => (await fetch(`${address}/open`)).text();
    for (let i = 0; i < 40 && (await count()) !== "0"; i += 1) {
      await sleep(25);
    }
    assert.equal(await count(), "0");
  });

  for (const options of /** @type {any[]} */ ([
    { keepAlive: 0 },
    { keepAlive: 2 ** 31 },
    { keepalive: 5 },
    { bufferedBytes: -1 },
    { bufferedBytes: "1" },
  ])) {
    it(`refuses ${JSON.stringify(options)}`, async (t) => {
      const { port, errors } = await serve(t, (router) => {
        router.get("/stream", (req, res) => events(req, res, options));
      });
      assert.equal((await ask(port, "GET", "/stream")).statusCode, 500);
      assert.match(errors[0].err.code, /^ERR_OPTION_(INVALID|UNKNOWN)$/);
    });
  }
});

describe("Who has left", () => {
  it("tells by the signal, and sends nothing more", async (t) => {
    /** @type {any} */
    let stream;
    const { port, errors } = await serve(t, (router) => {
      router.get("/stream", (req, res) => {
        stream = events(req, res);
      });
    });
    const socket = net.connect(port, "127.0.0.1");
    socket.write(REQUEST);
    await once(socket, "data");
    assert.equal(stream.send({ data: "x" }), true);
    socket.destroy();
    await waitUntil(() => stream.signal.aborted);
    assert.equal(stream.send({ data: "x" }), false);
    assert.equal(stream.comment(), false);
    stream.close();
    await stream.drained();
    assert.deepEqual(errors, []);
  });

  it("sends nothing into an answer that its deadline gave", async (t) => {
    /** @type {any} */
    let stream;
    const { port } = await serve(t, (router) => {
      router.get("/stream", { timeout: 50 }, async (req, res) => {
        await once(req.signal, "abort");
        stream = events(req, res);
        stream.send({ data: "x" });
      });
    });
    const { statusCode, body } = await ask(port, "GET", "/stream");
    assert.equal(statusCode, 503);
    await waitUntil(() => stream !== undefined);
    assert.ok(stream.signal.aborted, "the stream is over");
    assert.doesNotMatch(body, /data: x/);
  });

  it("is over from the beginning if the client has left before", async (t) => {
    const before = countTimers();
    /** @type {any[]} */
    const streams = [];
    let asked = 0;
    const { port, errors } = await serve(t, (router) => {
      router.use("/stream", async (req, _res, next) => {
        asked += 1;
        await once(req.socket, "close");
        return next();
      });
      router.get("/stream", (req, res) => {
        streams.push(events(req, res));
      });
    });
    const clients = Array.from({ length: 5 }, () => {
      const socket = net.connect(port, "127.0.0.1");
      socket.write(REQUEST);
      return socket;
    });
    await waitUntil(() => asked === clients.length);
    for (const client of clients) client.destroy();
    await waitUntil(() => streams.length === clients.length);
    for (const stream of streams) {
      assert.equal(stream.signal.aborted, true);
      assert.equal(stream.send({ data: "x" }), false);
      await stream.drained();
    }
    assert.ok(countTimers() <= before, "a timer is left");
    assert.deepEqual(errors, []);
  });

  it("sends nothing behind the end", async (t) => {
    const { port, errors } = await serve(t, (router) => {
      router.get("/stream", (req, res) => {
        const stream = events(req, res);
        stream.close();
        assert.equal(stream.send({ data: "late" }), false);
      });
    });
    assert.equal((await ask(port, "GET", "/stream")).body, "");
    assert.deepEqual(errors, []);
  });

  it("is over at once when the program ends it, or only the head was asked for", async (t) => {
    /** @type {boolean[]} */
    const told = [];
    const { port } = await serve(t, (router) => {
      router.get("/stream", (req, res) => {
        const stream = events(req, res);
        told.push(stream.signal.aborted);
        stream.close();
        told.push(stream.signal.aborted);
      });
    });
    await ask(port, "GET", "/stream");
    await ask(port, "HEAD", "/stream");
    assert.deepEqual(told, [false, true, true, true]);
  });
});

describe("Who doesn't read", () => {
  it("counts bytes, not characters", async (t) => {
    const { port } = await serve(t, (router) => {
      router.get("/stream", (req, res) => {
        const stream = events(req, res);
        // In a pipeline nothing is sent before its turn.
        stream.send({ data: "€".repeat(100_000) });
        res.req.socket.emit("counted", stream.bufferedBytes);
      });
      router.get("/slow", (req) => {
        req.socket.on("counted", (bytes) => counted.push(bytes));
        return sleep(50, "slow");
      });
    });
    /** @type {number[]} */
    const counted = [];
    const socket = net.connect(port, "127.0.0.1");
    t.after(() => socket.destroy());
    socket.write(`GET /slow HTTP/1.1\r\nHost: x\r\n\r\n${REQUEST}`);
    await waitUntil(() => counted.length > 0);
    assert.ok(counted[0] > 300_000, `${counted} bytes were counted`);
  });

  it("lets a client go that lets too much wait", async (t) => {
    /** @type {any} */
    let stream;
    const { port, errors } = await serve(t, (router) => {
      router.get("/stream", (req, res) => {
        stream = events(req, res, { bufferedBytes: 100_000 });
      });
    });
    const socket = net.connect(port, "127.0.0.1").pause();
    t.after(() => socket.destroy());
    socket.on("error", () => {});
    socket.write(REQUEST);
    await waitUntil(() => stream !== undefined);
    let most = 0;
    for (let i = 0; i < 5_000 && !stream.signal.aborted; i += 1) {
      stream.send({ data: "x".repeat(10_000) });
      most = Math.max(most, stream.bufferedBytes);
      if (i % 50 === 0) await sleep(1);
    }
    await waitUntil(() => stream.signal.aborted);
    assert.ok(most > 50_000 && most < 120_000, `${most} bytes waited`);
    assert.deepEqual(errors, []);
  });

  it("tells who waits that there is room, or that the client has left", async (t) => {
    /** @type {any} */
    let stream;
    const { port } = await serve(t, (router) => {
      router.get("/stream", (req, res) => {
        stream = events(req, res, { bufferedBytes: Infinity });
      });
    });
    const socket = net.connect(port, "127.0.0.1").pause();
    socket.on("error", () => {});
    socket.write(REQUEST);
    await waitUntil(() => stream !== undefined);
    await stream.drained();
    const fill = () => {
      for (let i = 0; i < 200; i += 1) {
        stream.send({ data: "x".repeat(100_000) });
      }
    };
    fill();
    assert.equal(stream.send({ data: "x" }), false);
    let isRoom = false;
    const waiting = stream.drained().then(() => {
      isRoom = true;
    });
    await sleep(50);
    assert.equal(isRoom, false);
    socket.resume();
    await waiting;
    socket.pause();
    fill();
    const again = stream.drained();
    socket.destroy();
    await again;
  });

  it("lets nobody wait for room in a stream that has been closed", async (t) => {
    /** @type {any} */
    let stream;
    const { port } = await serve(t, (router) => {
      router.get("/stream", (req, res) => {
        stream = events(req, res, { bufferedBytes: Infinity });
      });
    });
    const socket = net.connect(port, "127.0.0.1").pause();
    t.after(() => socket.destroy());
    socket.write(REQUEST);
    await waitUntil(() => stream !== undefined);
    for (let i = 0; i < 200; i += 1) {
      stream.send({ data: "x".repeat(100_000) });
    }
    let isFree = false;
    stream.drained().then(() => {
      isFree = true;
    });
    stream.close();
    socket.resume();
    // Before the server closes an idle connection, after five seconds.
    for (let i = 0; i < 160 && !isFree; i += 1) await sleep(25);
    assert.equal(isFree, true);
  });

  it("tells of room again and again, in the answer to an upgrade too", async (t) => {
    let rounds = 0;
    const { port } = await serve(t, (router) => {
      router.get("/stream", async (req, res) => {
        const stream = events(req, res, { bufferedBytes: Infinity });
        for (; rounds < 3; rounds += 1) {
          stream.send({ data: "x".repeat(500_000) });
          await stream.drained();
          stream.send({ data: "little" });
          await stream.drained();
        }
      });
    });
    const socket = connectTo(port);
    t.after(() => socket.destroy());
    socket.resume();
    socket.write(requestFor("/stream"));
    await waitUntil(() => rounds === 3);
  });

  it("is over at once when a client is cut off, also behind another answer", async (t) => {
    /** @type {any} */
    let answer;
    /** @type {any} */
    let stream;
    let count = 0;
    const { port, errors } = await serve(t, (router) => {
      router.get("/slow", (_req, res) => {
        answer = res;
      });
      router.get("/stream", (req, res) => {
        stream = events(req, res, { bufferedBytes: 100_000 });
        for (; count < 50 && !stream.signal.aborted; count += 1) {
          stream.send({ data: "x".repeat(10_000) });
        }
      });
    });
    const socket = net.connect(port, "127.0.0.1");
    t.after(() => socket.destroy());
    let isClosed = false;
    socket.on("error", () => {});
    socket.on("close", () => {
      isClosed = true;
    });
    socket.resume();
    socket.write(`GET /slow HTTP/1.1\r\nHost: x\r\n\r\n${REQUEST}`);
    await waitUntil(() => stream !== undefined);
    assert.ok(count < 50, `${count} events were sent`);
    assert.equal(stream.signal.aborted, true);
    answer.text("slow");
    await waitUntil(() => isClosed);
    assert.deepEqual(errors, []);
  });

  it("lets who sends wait while a session is saved", async (t) => {
    let save = () => {};
    const saved = new Promise((resolve) => {
      save = () => resolve(undefined);
    });
    const store = Object.assign(new MemoryStore(), { add: () => saved });
    let isAsked = false;
    let sent = 0;
    const { port, errors } = await serve(t, (router) => {
      router.use(sessions({ secrets: SECRETS, store }));
      router.get("/stream", async (req, res) => {
        req.session.visits = 1;
        const stream = events(req, res);
        isAsked = true;
        for (; sent < 3; sent += 1) {
          stream.send({ data: `${sent}` });
          await stream.drained();
        }
        stream.close();
      });
    });
    const asked = ask(port, "GET", "/stream");
    await waitUntil(() => isAsked);
    await sleep(20);
    assert.equal(sent, 0);
    save();
    const { body } = await asked;
    assert.equal(body, "data: 0\n\ndata: 1\n\ndata: 2\n\n");
    assert.deepEqual(errors, []);
  });

  it("keeps no listeners of those who have waited", async (t) => {
    const { port, errors } = await serve(t, (router) => {
      router.get("/stream", async (req, res) => {
        const stream = events(req, res, { bufferedBytes: Infinity });
        for (let i = 0; i < 50; i += 1) {
          stream.send({ data: "x".repeat(300_000) });
          await stream.drained();
        }
        const most = Math.max(
          res.listenerCount("drain"),
          req.socket.listenerCount("close"),
        );
        stream.send({ data: `${most < 11}` });
        stream.close();
      });
    });
    const { body } = await ask(port, "GET", "/stream");
    assert.ok(body.endsWith("data: true\n\n"), body.slice(-50));
    assert.deepEqual(errors, []);
  });
});

describe("Where was I?", () => {
  it("sends who comes back all that it missed, however much", async (t) => {
    const address = `http://127.0.0.1:${program.port}/news`;
    for (let i = 0; i < 4; i += 1) {
      const body = `${"x".repeat(499_990)} big ${i}`;
      await fetch(address, { method: "POST", body });
    }
    const leaving = new AbortController();
    t.after(() => leaving.abort());
    const { signal } = leaving;
    const { body } = await fetch(address, { signal });
    assert.ok(body, "there is a body");
    let text = "";
    for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      if (text.includes("big 3")) break;
    }
    const seen = [...text.matchAll(/big (\d)/g)].map(([, i]) => i);
    assert.deepEqual(seen, ["0", "1", "2", "3"]);
  });

  for (const id of ["-Infinity", "-2", "1e3", "0.5", "x"]) {
    it(`takes ${id} for no id, and sends none that isn't`, async () => {
      const address = `http://127.0.0.1:${program.port}/news`;
      await fetch(address, { method: "POST", body: "the last" });
      const signal = AbortSignal.timeout(5_000);
      const headers = { "last-event-id": id };
      const { body } = await fetch(address, { headers, signal });
      assert.ok(body, "there is a body");
      let text = "";
      for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
        text += chunk;
        if (text.includes("the last")) break;
      }
      assert.match(text, /^id: 1\n/);
    });
  }

  for (const id of ["7", "café ☃", ""]) {
    it(`gets the id ${JSON.stringify(id)} as the client was sent it`, async (t) => {
      const { port } = await serve(t, (router) => {
        router.get("/stream", (req, res) => {
          const stream = events(req, res);
          stream.send({ data: stream.lastEventId });
          stream.close();
        });
      });
      // As a browser sends it: bytes of UTF-8.
      const value = Buffer.from(id).toString("latin1");
      const headers = { "last-event-id": value };
      const { body } = await ask(port, "GET", "/stream", { headers });
      assert.equal(body, `data: ${id}\n\n`);
    });
  }

  it("sends a comment now and then, until the client has left", async (t) => {
    /** @type {any} */
    let stream;
    const { port } = await serve(t, (router) => {
      router.get("/stream", (req, res) => {
        stream = events(req, res, { keepAlive: 20 });
      });
    });
    const socket = net.connect(port, "127.0.0.1");
    socket.write(REQUEST);
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk;
    });
    await waitUntil(() => text.split("\r\n: \n\n\r\n").length > 3);
    socket.destroy();
    await waitUntil(() => stream.signal.aborted);
    const timers = process.getActiveResourcesInfo();
    await sleep(60);
    const isLess = (/** @type {string[]} */ list) =>
      list.filter((name) => name === "Timeout").length;
    assert.ok(
      isLess(process.getActiveResourcesInfo()) <= isLess(timers),
      "a timer is left",
    );
  });
});

describe("One door", () => {
  testRealtime(velocy, { groups: ["handshake", "leaving"] });

  it("answers what asks for another protocol, with its body", async (t) => {
    const { port } = await serve(t, (router) => {
      router.post("/echo", (req) => req.text());
    });
    for (const protocol of ["h2c", "websocket"]) {
      const socket = net.connect(port, "127.0.0.1");
      t.after(() => socket.destroy());
      const head = `Host: x\r\nConnection: Upgrade\r\nUpgrade: ${protocol}`;
      socket.write(
        `POST /echo HTTP/1.1\r\n${head}\r\nContent-Length: 4\r\n\r\nrain`,
      );
      const [answer] = await once(socket, "data");
      assert.match(String(answer), /^HTTP\/1\.1 200 OK\r\n/);
      assert.match(String(answer), /\r\n\r\nrain$/);
      assert.doesNotMatch(String(answer), /connection: close/i);
    }
  });

  it("ignores the field in HTTP/1.0", async (t) => {
    const { port } = await serve(t, (router) => {
      router.get(
        "/echo",
        websocket(() => {}),
      );
    });
    const socket = new RawSocket(connectTo(port));
    socket.send(requestFor("/echo").replace("HTTP/1.1", "HTTP/1.0"));
    await socket.untilEnd();
    socket.leave();
    assert.equal(socket.statusCode, 426);
  });

  for (const [
    what,
    fields,
    body,
    expected,
  ] of /** @type {[string, Record<string, string>, string, number][]} */ ([
    ["a length", { "content-length": "4" }, "rain", 426],
    [
      "chunks",
      { "transfer-encoding": "chunked" },
      "4\r\nrain\r\n0\r\n\r\n",
      426,
    ],
    ["a length of none", { "content-length": "0" }, "", 101],
  ])) {
    it(`takes no body for frames, and answers ${what} with ${expected}`, async (t) => {
      const { port } = await serve(t, (router) => {
        router.get(
          "/echo",
          websocket(() => {}),
        );
      });
      const socket = new RawSocket(connectTo(port));
      t.after(() => socket.leave());
      socket.send(requestFor("/echo", fields) + body);
      await socket.untilHead();
      assert.equal(socket.statusCode, expected);
    });
  }

  it("gives a long answer with backpressure, and all of it", async (t) => {
    const { port } = await serve(t, (router) => {
      router.get("/long", async function* long() {
        for (let i = 0; i < 100; i += 1) yield "x".repeat(65_536);
      });
    });
    const headers = { connection: "Upgrade", upgrade: "websocket" };
    const { statusCode, body } = await ask(port, "GET", "/long", {
      headers,
    });
    assert.equal(statusCode, 200);
    assert.equal(body.length, 6_553_600);
  });

  it("tells onError what a handler throws, and answers 500", async (t) => {
    const { port, errors } = await serve(t, (router) => {
      router.get("/fails", async () => {
        throw new Error("no");
      });
      router.get("/refuses", () => {
        throw new HttpError(409, "not now");
      });
    });
    assert.equal((await open(t, port, "/fails")).statusCode, 500);
    assert.equal((await open(t, port, "/refuses")).statusCode, 409);
    assert.deepEqual(
      errors.map(({ err }) => err.message),
      ["no"],
    );
  });

  it("waits for the answers that were asked for before", async (t) => {
    /** @type {any} */
    let answer;
    const { port } = await serve(t, (router) => {
      router.get("/slow", (_req, res) => {
        answer = res;
      });
      router.get("/fast", () => "fast");
      router.get(
        "/echo",
        websocket((socket) => {
          socket.on("message", (data) => socket.send(data));
        }),
      );
    });
    const connection = connectTo(port);
    t.after(() => connection.destroy());
    let text = "";
    connection.on("data", (chunk) => {
      text += chunk.toString("latin1");
    });
    const plain = (/** @type {string} */ path) =>
      `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
    connection.write(plain("/slow") + plain("/fast") + requestFor("/echo"));
    connection.write(frame(TEXT, "early"));
    await waitUntil(() => answer !== undefined);
    await sleep(50);
    assert.equal(text, "");
    answer.text("slow");
    await waitUntil(() => text.includes("early"));
    const order = [...text.matchAll(/HTTP\/1\.1 (\d+)|slow|fast|early/g)];
    assert.equal(
      order.map(([word, code]) => code ?? word).join(" "),
      "200 slow 200 fast 101 early",
    );
  });

  const plain = (/** @type {string} */ path, fields = "Host: x\r\n") =>
    `GET ${path} HTTP/1.1\r\n${fields}\r\n`;
  const noHost = plain("/fast", "");
  const noWish = plain("/fast", "Host: x\r\nExpect: much\r\n");
  // What node:http answers without asking anybody.
  for (const [what, first, expected] of [
    ["a request without a Host", noHost, "400"],
    ["a wish that nobody knows", noWish, "417 101"],
    ["two such wishes", noWish + noWish, "417 417 101"],
    ["a wish behind a request", plain("/slow") + noWish, "200 417 101"],
    ["no Host behind a request", plain("/slow") + noHost, "200 400"],
  ]) {
    it(`waits for the answer to ${what}`, async (t) => {
      const { port } = await serve(t, (router) => {
        router.get("/slow", () => sleep(50, "slow"));
        router.get("/fast", () => "fast");
        router.get(
          "/echo",
          websocket(() => {}),
        );
      });
      const connection = connectTo(port);
      t.after(() => connection.destroy());
      let text = "";
      connection.on("data", (chunk) => {
        text += chunk.toString("latin1");
      });
      connection.on("error", () => {});
      connection.write(first + requestFor("/echo"));
      const codes = () =>
        [...text.matchAll(/HTTP\/1\.1 (\d+)/g)]
          .map(([, code]) => code)
          .join(" ");
      await waitUntil(() => codes() === expected);
      await sleep(30);
      assert.equal(codes(), expected);
      assert.equal((await ask(port, "GET", "/fast")).body, "fast");
    });
  }

  it("leaves upgrades to who else listens for them", async (t) => {
    const { port, server } = await serve(t, (router) => {
      router.get(
        "/echo",
        websocket(() => {}),
      );
    });
    server.on("upgrade", (_req, socket) => {
      const fields = "x-by: another\r\nconnection: upgrade";
      socket.end(`HTTP/1.1 101 Switching Protocols\r\n${fields}\r\n\r\n`);
    });
    const socket = await open(t, port, "/echo");
    assert.equal(socket.field("x-by"), "another");
  });

  it("gives CONNECT to who listens for it, and refuses it else", async (t) => {
    const { port, server } = await serve(t, (router) => {
      router.get("/", () => "hello");
    });
    const bytes = "CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n";
    const refused = connectTo(port);
    t.after(() => refused.destroy());
    refused.write(bytes);
    const [head] = await once(refused, "data");
    assert.match(String(head), /^HTTP\/1\.1 400 /);
    server.on("connect", (_req, socket) => {
      socket.end("HTTP/1.1 200 OK\r\n\r\nthrough");
    });
    const tunnel = connectTo(port);
    t.after(() => tunnel.destroy());
    tunnel.write(bytes);
    const [answer] = await once(tunnel, "data");
    assert.match(String(answer), /through$/);
  });

  it("saves a session before the 101, and logs it with its times", async (t) => {
    let lines = "";
    const destination = new Writable({
      write(chunk, _encoding, done) {
        lines += chunk;
        done();
      },
    });
    const store = new MemoryStore();
    const { port } = await serve(t, (router) => {
      router.use(log({ destination }));
      router.use(sessions({ secrets: SECRETS, store }));
      router.use((req, _res, next) => {
        req.session.visits = 1;
        return next();
      });
      const echo = websocket((socket) => {
        socket.on("message", (data) => socket.send(data));
      });
      router.get("/echo", echo);
    });
    const socket = await open(t, port, "/echo");
    assert.equal(socket.statusCode, 101);
    assert.match(socket.field("set-cookie") ?? "", /^__Host-session=/);
    assert.equal(store.size, 1);
    socket.send(frame(TEXT, "hello"));
    await socket.untilFrames(1);
    await waitUntil(() => /"status":\s*101/.test(lines));
    const [, time] = /"first_byte_ms":\s*(-?[\d.]+)/.exec(lines) ?? [];
    assert.ok(Number(time) >= 0, lines);
  });

  it("asks for the session at the door only, and a room closes who logs out", async (t) => {
    const rooms = new Rooms();
    const { port } = await serve(t, (router) => {
      router.use(sessions({ secrets: SECRETS, store: new MemoryStore() }));
      router.post("/login", (req) => {
        req.session.user = "ada";
        return "hello";
      });
      router.get("/session", (req) => ({ ...req.session }));
      router.post("/logout", async (req) => {
        const { user } = req.session;
        await req.session.destroy();
        rooms.close(`user ${user}`, 4001, "logged out");
        return "bye";
      });
      const talk = websocket((socket, req) => {
        req.session.isHere = true;
        rooms.join(`user ${req.session.user}`, socket);
      });
      router.get("/talk", talk);
    });
    const { headers } = await ask(port, "POST", "/login");
    const [cookie] = String(headers["set-cookie"]).split(";");
    const socket = await open(t, port, "/talk", { cookie });
    assert.equal(socket.statusCode, 101);
    const session = await ask(port, "GET", "/session", {
      headers: { cookie },
    });
    assert.deepEqual(JSON.parse(session.body), { user: "ada" });
    await ask(port, "POST", "/logout", { headers: { cookie } });
    await socket.untilFrames(1);
    assert.equal(socket.frames[0].payload.readUInt16BE(), 4001);
  });

  it("begins nothing for a client that leaves while its session is saved", async (t) => {
    let begun = 0;
    let isSaving = false;
    let save = () => {};
    const saved = new Promise((resolve) => {
      save = () => resolve(undefined);
    });
    const store = Object.assign(new MemoryStore(), {
      add: () => {
        isSaving = true;
        return saved;
      },
    });
    /** @type {any} */
    let connection;
    const { port, errors } = await serve(t, (router) => {
      router.use(sessions({ secrets: SECRETS, store }));
      router.get("/echo", (req, res) => {
        connection = req.socket;
        req.session.visits = 1;
        const handler = websocket(() => {
          begun += 1;
        });
        return handler(req, res);
      });
    });
    const client = connectTo(port);
    client.on("error", () => {});
    client.write(requestFor("/echo"));
    await waitUntil(() => isSaving);
    client.destroy();
    await waitUntil(() => connection.closed);
    save();
    await sleep(20);
    assert.equal(begun, 0);
    assert.deepEqual(errors, []);
  });

  it("answers 503 when the session can't be saved, begins nothing, and goes on", async (t) => {
    let begun = 0;
    const store = Object.assign(new MemoryStore(), {
      add: async () => {
        throw new Error("the store is away");
      },
    });
    const { port } = await serve(t, (router) => {
      router.use(sessions({ secrets: SECRETS, store }));
      const route = websocket(() => {
        begun += 1;
      });
      router.get("/echo", (req, res) => {
        req.session.visits = 1;
        return route(req, res);
      });
      router.get("/hello", () => "hello");
    });
    const socket = await open(t, port, "/echo");
    assert.equal(socket.statusCode, 503);
    await socket.untilEnd();
    assert.equal((await ask(port, "GET", "/hello")).body, "hello");
    assert.equal(begun, 0);
  });

  for (const how of /** @type {const} */ (["end", "resetAndDestroy"])) {
    it(`leaves nothing behind when a client has left (${how}) while a guard thinks`, async (t) => {
      const before = countTimers();
      /** @type {any} */
      let connection;
      const { port, errors } = await serve(t, (router) => {
        router.use("/echo", async (req, _res, next) => {
          connection = req.socket;
          await sleep(50);
          return next();
        });
        const route = websocket(() => {});
        router.get("/echo", route);
      });
      const client = net.connect(port, "127.0.0.1");
      client.on("error", () => {});
      client.resume();
      client.write(requestFor("/echo"));
      await waitUntil(() => connection !== undefined);
      client[how]();
      await waitUntil(() => connection.destroyed);
      await sleep(100);
      const isLess = countTimers() <= before;
      assert.ok(isLess, "a timer is left");
      assert.deepEqual(errors, []);
    });
  }

  it("runs what guards the route, and its answer is over at the 101", async (t) => {
    /** @type {string[]} */
    const told = [];
    const { port, errors } = await serve(t, (router) => {
      router.use(compress());
      router.use((_req, res, next) => {
        res.on("finish", () => told.push(`finish ${res.statusCode}`));
        res.on("close", () => told.push("close"));
        res.setHeader("x-guard", "here");
        return next();
      });
      const echo = websocket((socket) => {
        socket.on("message", (data) => socket.send(data));
      });
      router.get("/echo", { timeout: 30 }, echo);
    });
    const socket = await open(t, port, "/echo", {
      "accept-encoding": "br",
    });
    assert.equal(socket.field("x-guard"), "here");
    assert.equal(socket.field("content-encoding"), null);
    await waitUntil(() => told.length > 1);
    assert.deepEqual(told, ["finish 101", "close"]);
    await sleep(60);
    socket.send(frame(TEXT, "hello"));
    await socket.untilFrames(1);
    assert.deepEqual(errors, []);
  });
});

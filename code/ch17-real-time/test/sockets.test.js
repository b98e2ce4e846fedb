import assert from "node:assert/strict";
import { once } from "node:events";
import { Writable } from "node:stream";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import {
  connectTo,
  RawSocket,
  requestFor,
} from "../../contracts/realtime/client.js";
import { close, frame } from "../../contracts/realtime/frames.js";
import { testRealtime } from "../../contracts/realtime/index.js";
import { ask, listen } from "../../contracts/router/ask.js";
import * as velocy from "../index.js";
import { encodeMessage } from "../lib/realtime/frame.js";
import { FrameReader } from "../lib/realtime/frame-reader.js";
import { Heartbeat } from "../lib/realtime/heartbeat.js";
import { unmask } from "../lib/realtime/mask.js";
import { Utf8Checker } from "../lib/realtime/utf8.js";
import { Gatherer } from "../lib/request/gather.js";
import { open, serve, waitUntil } from "./support.js";

/** @import { TestContext } from "node:test" */

const { createServer, log, Rooms, Router, websocket } = velocy;

const TEXT = 1;
const NEVER = new Promise(() => {});

describe("Frames", () => {
  testRealtime(velocy, {
    groups: ["pings", "reserved bits and opcodes", "heads"],
  });

  it("takes any mask off any bytes, wherever they begin", () => {
    const memory = Buffer.alloc(700);
    const mask = Buffer.from("37fa213d", "hex");
    for (let start = 0; start < 8; start += 1) {
      for (let length = 0; length < 600; length += 7) {
        const bytes = memory.subarray(start, start + length);
        bytes.forEach((_, i) => {
          bytes[i] = i;
        });
        memory[start + length] = 99;
        unmask(bytes, mask, length);
        bytes.forEach((byte, i) => {
          assert.equal(byte, (i & 0xff) ^ mask[(length + i) & 3]);
        });
        assert.equal(memory[start + length], 99);
      }
    }
  });

  it("reads the same frames, wherever their bytes are cut", () => {
    const bytes = Buffer.concat([
      frame(TEXT, "hello"),
      frame(9),
      frame(2, Buffer.alloc(300, 7)),
    ]);
    const readAll = (/** @type {number[]} */ cuts) => {
      /** @type {any[]} */
      const read = [];
      const reader = new FrameReader({
        begin: (opcode) => read.push([opcode, ""]),
        take: (piece) => {
          read[read.length - 1][1] += piece.toString("latin1");
        },
      });
      let from = 0;
      for (const cut of [...cuts, bytes.length]) {
        reader.push(Buffer.from(bytes.subarray(from, cut)));
        from = cut;
      }
      return read;
    };
    const whole = readAll([]);
    assert.equal(whole.length, 3);
    for (let cut = 1; cut < bytes.length; cut += 1) {
      assert.deepEqual(readAll([cut]), whole, `cut at ${cut}`);
    }
    const everywhere = Array.from(
      { length: bytes.length - 1 },
      (_, i) => i + 1,
    );
    assert.deepEqual(readAll(everywhere), whole);
  });

  it("sends what is given, and nothing else", () => {
    assert.deepEqual([...encodeMessage("é")], [0x81, 2, 0xc3, 0xa9]);
    assert.deepEqual([...encodeMessage(new Uint8Array([7]))], [0x82, 1, 7]);
    const part = new Uint8Array([1, 2, 3, 4]).subarray(1, 3);
    assert.deepEqual([...encodeMessage(part)], [0x82, 2, 2, 3]);
    for (const bad of [undefined, null, 7, {}, [1], new ArrayBuffer(1)]) {
      assert.throws(() => encodeMessage(/** @type {any} */ (bad)), {
        code: "ERR_MESSAGE_INVALID",
      });
    }
  });
});

describe("Messages", () => {
  testRealtime(velocy, { groups: ["messages", "fragments", "UTF-8"] });

  it("agrees with Node on every text of up to four bytes that can go wrong", () => {
    const BYTES = [
      0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2,
      0xdf, 0xe0, 0xe1, 0xec, 0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4,
      0xf5, 0xff,
    ];
    const decoder = new TextDecoder("utf-8", { fatal: true });
    const isGood = (/** @type {Buffer} */ bytes) => {
      try {
        decoder.decode(bytes);
        return true;
      } catch {
        return false;
      }
    };
    for (const a of BYTES) {
      for (const b of BYTES) {
        for (const c of BYTES) {
          for (const d of [0x41, 0x80, 0xbf, 0xc2]) {
            const bytes = Buffer.from([a, b, c, d]);
            const checker = new Utf8Checker();
            const isRight =
              [...bytes].every((byte) =>
                checker.push(Buffer.from([byte])),
              ) && checker.isWhole;
            assert.equal(isRight, isGood(bytes), bytes.toString("hex"));
          }
        }
      }
    }
  });

  it("keeps what comes in small pieces in little more memory than it has", () => {
    const gatherer = new Gatherer();
    for (let i = 0; i < 100_000; i += 1) gatherer.append(Buffer.from([i]));
    const kept = gatherer.toBuffer();
    assert.equal(kept.length, 100_000);
    assert.ok(
      kept.every((byte, i) => byte === (i & 0xff)),
      "the bytes aren't those that came",
    );
    assert.ok(
      kept.buffer.byteLength <= 200_000,
      `${kept.buffer.byteLength} bytes are kept`,
    );
  });
});

describe("A socket", () => {
  it("keeps what comes before somebody listens", async (t) => {
    /** @type {string[]} */
    const came = [];
    const { port } = await serve(t, (router) => {
      router.get(
        "/late",
        websocket(async (socket) => {
          await sleep(50);
          socket.on("message", (data) => came.push(data));
        }),
      );
    });
    const connection = connectTo(port);
    t.after(() => connection.destroy());
    connection.write(
      Buffer.concat([
        Buffer.from(requestFor("/late")),
        frame(TEXT, "with the handshake"),
      ]),
    );
    connection.write(frame(TEXT, "behind it"));
    await waitUntil(() => came.length === 2);
    assert.deepEqual(came, ["with the handshake", "behind it"]);
  });

  it("gives what it has kept also when the client has closed meanwhile", async (t) => {
    /** @type {string[]} */
    const came = [];
    const { port } = await serve(t, (router) => {
      router.get(
        "/late",
        websocket(async (socket) => {
          await once(socket, "close");
          socket.on("message", (data) => came.push(data));
        }),
      );
    });
    const socket = await open(t, port, "/late");
    const frames = [frame(TEXT, "a"), close(1000), frame(TEXT, "b")];
    socket.send(Buffer.concat(frames));
    await socket.untilEnd();
    socket.leave();
    await waitUntil(() => came.length > 0);
    await sleep(20);
    assert.deepEqual(came, ["a"]);
  });

  it("keeps a client that only listens to an asynchronous listener", async (t) => {
    /** @type {any[][]} */
    const closed = [];
    const { port } = await serve(t, (router) => {
      const route = websocket(
        async (socket) => {
          socket.on("close", (...how) => closed.push(how));
          while (socket.isOpen) {
            socket.send("tick");
            await sleep(20);
          }
        },
        { idle: 40 },
      );
      router.get("/ticks", route);
    });
    const socket = await open(t, port, "/ticks");
    let answered = 0;
    const answering = setInterval(() => {
      const pings = socket.frames.filter(({ opcode }) => opcode === 9);
      for (; answered < pings.length; answered += 1) {
        socket.send(frame(10));
      }
    }, 5);
    t.after(() => clearInterval(answering));
    await socket.untilFrames(20);
    assert.deepEqual(closed, []);
    socket.send(close(1000, "bye"));
    await socket.untilEnd();
    socket.leave();
    await waitUntil(() => closed.length > 0);
    assert.deepEqual(closed, [[1000, "bye"]]);
  });

  for (const [what, frames] of /** @type {[string, Buffer[]][]} */ ([
    ["bytes", [frame(2, Buffer.alloc(60)), frame(2, Buffer.alloc(60))]],
    ["messages", Array.from({ length: 6 }, () => frame(TEXT))],
  ])) {
    it(`holds no more ${what} than one message may have`, async (t) => {
      const { port } = await serve(t, (router) => {
        const limits = { messageBytes: 100, fragments: 5 };
        router.get(
          "/never",
          websocket(() => NEVER, limits),
        );
      });
      const socket = await open(t, port, "/never");
      socket.send(Buffer.concat(frames));
      await socket.untilFrames(1);
      assert.equal(socket.frames[0].opcode, 8);
      assert.equal(socket.frames[0].payload.readUInt16BE(), 1008);
    });
  }

  for (const add of ["addListener", "prependListener", "once"]) {
    it(`gives its messages to who listens by ${add}`, async (t) => {
      /** @type {string[]} */
      const came = [];
      const { port } = await serve(t, (router) => {
        const route = websocket((/** @type {any} */ socket) => {
          socket[add]("message", (/** @type {string} */ data) =>
            came.push(data),
          );
          return NEVER;
        });
        router.get("/adds", route);
      });
      const socket = await open(t, port, "/adds");
      socket.send(frame(TEXT, "hello"));
      await waitUntil(() => came.length > 0);
      assert.deepEqual(came, ["hello"]);
    });
  }

  it("lets an asynchronous listener wait for its first message", async (t) => {
    const { port } = await serve(t, (router) => {
      router.get(
        "/once",
        websocket(async (socket) => {
          const [data] = await once(socket, "message");
          socket.send(`got ${data}`);
          await NEVER;
        }),
      );
    });
    const socket = await open(t, port, "/once");
    socket.send(frame(TEXT, "hello"));
    await socket.untilFrames(1);
    assert.equal(String(socket.frames[0].payload), "got hello");
  });

  it("answers pings also when nobody listens", async (t) => {
    const { port } = await serve(t, (router) => {
      router.get(
        "/deaf",
        websocket(() => {}),
      );
    });
    const socket = await open(t, port, "/deaf");
    socket.send(frame(9, "you"));
    await socket.untilFrames(1);
    assert.equal(socket.frames[0].opcode, 10);
  });

  it("gives a Buffer for bytes, and tells whether there is room", async (t) => {
    /** @type {any[]} */
    const told = [];
    const { port } = await serve(t, (router) => {
      router.get(
        "/room",
        websocket(
          (socket) => {
            socket.on("message", (data) => {
              told.push(Buffer.isBuffer(data), socket.send("x"));
              while (socket.bufferedBytes < 1_000_000) {
                socket.send(Buffer.alloc(1_000_000));
              }
              told.push(!socket.send("y"));
              socket.once("drain", () => told.push(socket.bufferedBytes));
            });
          },
          { bufferedBytes: Infinity },
        ),
      );
    });
    const socket = await open(t, port, "/room");
    socket.pause();
    socket.send(frame(2, "bytes"));
    await waitUntil(() => told.length > 2);
    socket.resume();
    await waitUntil(() => told.length > 3);
    assert.deepEqual(told, [true, true, true, 0]);
  });

  it("speaks the subprotocol that was agreed on", async (t) => {
    /** @type {string[]} */
    const spoken = [];
    const { port } = await serve(t, (router) => {
      const options = { protocols: ["chat"] };
      const route = websocket(
        (socket) => spoken.push(socket.protocol),
        options,
      );
      router.get("/speaks", route);
    });
    await open(t, port, "/speaks", { "sec-websocket-protocol": "a, chat" });
    await open(t, port, "/speaks");
    assert.deepEqual(spoken, ["chat", ""]);
  });

  for (const [options, code] of /** @type {[any, string][]} */ ([
    [{ origin: [] }, "ERR_OPTION_UNKNOWN"],
    [{ origins: "https://a.example" }, "ERR_OPTION_INVALID"],
    [{ origins: ["https://a.example/"] }, "ERR_OPTION_INVALID"],
    [{ origins: ["a.example"] }, "ERR_OPTION_INVALID"],
    [{ protocols: [7] }, "ERR_OPTION_INVALID"],
    [{ messageBytes: "1" }, "ERR_OPTION_INVALID"],
    [{ fragments: 0.5 }, "ERR_OPTION_INVALID"],
    [{ bufferedBytes: -1 }, "ERR_OPTION_INVALID"],
    [{ idle: 0 }, "ERR_OPTION_INVALID"],
    [{ idle: 2 ** 31 }, "ERR_OPTION_INVALID"],
    [[], "ERR_OPTIONS_INVALID"],
  ])) {
    it(`refuses the options ${JSON.stringify(options)}`, () => {
      assert.throws(() => websocket(() => {}, options), { code });
    });
  }

  it("refuses what is no function", () => {
    const make = () => websocket(/** @type {any} */ ("chat"));
    assert.throws(make, { code: "ERR_OPTION_INVALID" });
  });
});

/**
 * A server that tells how each socket was closed.
 *
 * @param {TestContext} t
 * @param {(socket: any) => void} [listener]
 * @param {object} [options]
 */
async function serveClosing(t, listener = () => {}, options = {}) {
  /** @type {any[][]} */
  const closed = [];
  const served = await serve(t, (router) => {
    const route = websocket((socket) => {
      socket.on("close", (...how) => closed.push(how));
      listener(socket);
    }, options);
    router.get("/closes", route);
  });
  return { ...served, closed };
}

describe("How it ends", () => {
  testRealtime(velocy, { groups: ["closing"] });

  for (const [
    how,
    bytes,
    expected,
  ] of /** @type {[string, Buffer, any[]][]} */ ([
    ["with a code and a reason", close(4001, "bye"), [4001, "bye"]],
    ["without a code", close(), [1005, ""]],
    [
      "and sends what is wrong behind it",
      Buffer.concat([close(1000), Buffer.from("8100", "hex")]),
      [1000, ""],
    ],
    ["by a mistake", frame(3), [1002, "the opcode is reserved"]],
    [
      "by a length that no frame has",
      Buffer.from("82ff80000000000000050000000000", "hex"),
      [1002, "the first bit of a long length is 0"],
    ],
  ])) {
    it(`tells once of a client that closes ${how}`, async (t) => {
      const { port, closed } = await serveClosing(t);
      const socket = await open(t, port, "/closes");
      socket.send(bytes);
      await socket.untilEnd();
      socket.leave();
      await waitUntil(() => closed.length > 0);
      await sleep(20);
      assert.deepEqual(closed, [expected]);
    });
  }

  for (const how of ["leaves without a word", "ends its half"]) {
    it(`tells 1006 of a client that ${how}`, async (t) => {
      const { port, closed } = await serveClosing(t);
      const connection = connectTo(port);
      connection.on("error", () => {});
      connection.resume();
      connection.write(requestFor("/closes"));
      await once(connection, "data");
      if (how === "ends its half") connection.end();
      else connection.destroy();
      await waitUntil(() => closed.length > 0);
      connection.destroy();
      assert.deepEqual(closed, [[1006, ""]]);
    });
  }

  it("closes with what the program says, and tells what the client answers", async (t) => {
    const { port, closed } = await serveClosing(t, (socket) => {
      socket.close(4000, "enough");
      socket.close(4001, "too late");
      assert.equal(socket.isOpen, false);
      assert.equal(socket.send("too late"), false);
      assert.equal(socket.ping(), false);
    });
    const socket = await open(t, port, "/closes");
    await socket.untilFrames(1);
    const [{ opcode, payload }] = socket.frames;
    assert.equal(opcode, 8);
    assert.equal(payload.readUInt16BE(), 4000);
    assert.equal(String(payload.subarray(2)), "enough");
    socket.send(frame(TEXT, "nobody hears this"));
    socket.send(close(4000, "agreed"));
    await socket.untilEnd();
    socket.leave();
    await waitUntil(() => closed.length > 0);
    assert.deepEqual(closed, [[4000, "agreed"]]);
    assert.equal(socket.frames.length, 1);
  });

  it("cuts a client that doesn't answer a Close", async (t) => {
    const { port, closed } = await serveClosing(t, (socket) =>
      socket.close(),
    );
    const socket = await open(t, port, "/closes");
    const from = performance.now();
    await waitUntil(
      () => closed.length > 0 || performance.now() - from > 7e3,
    );
    await socket.until(() => socket.isClosed, "it is still open");
    assert.deepEqual(closed, [[1006, ""]]);
    assert.ok(performance.now() - from > 4_000, "it was cut too early");
  });

  it("refuses codes and reasons that no Close can have", async (t) => {
    /** @type {string[]} */
    const codes = [];
    const { port } = await serveClosing(t, (socket) => {
      for (const [code, reason] of [
        [999],
        [1006],
        [1015],
        [5000],
        ["1000"],
        [1000, "x".repeat(124)],
        [1000, "é".repeat(62)],
        [1000, new Uint8Array(10)],
      ]) {
        try {
          socket.close(code, reason);
          codes.push("closed");
        } catch (/** @type {any} */ err) {
          codes.push(err.code);
        }
      }
    });
    await open(t, port, "/closes");
    assert.deepEqual(new Set(codes), new Set(["ERR_CLOSE_INVALID"]));
    assert.equal(codes.length, 8);
  });

  it("cuts without a Close when it is told to", async (t) => {
    const { port, closed } = await serveClosing(t, (socket) => {
      socket.terminate();
    });
    const socket = new RawSocket(connectTo(port));
    socket.send(requestFor("/closes"));
    await socket.until(() => socket.isClosed, "it is still open");
    await waitUntil(() => closed.length > 0);
    assert.deepEqual(closed, [[1006, ""]]);
  });
});

describe("What a listener throws", () => {
  testRealtime(velocy, { groups: ["what a listener throws"] });

  const fail = () => {
    throw new Error("no");
  };
  for (const [
    what,
    listener,
    message,
  ] of /** @type {[string, any, string?][]} */ ([
    ["throws at once", fail],
    ["fails later", async () => fail()],
    ["throws at a message", (socket) => socket.on("message", fail), "x"],
    [
      "fails at a message",
      (socket) => socket.on("message", async () => fail()),
      "x",
    ],
  ])) {
    it(`closes with 1011 when it ${what}, and tells onError`, async (t) => {
      const { port, errors } = await serve(t, (router) => {
        router.get("/rooms/:room", websocket(listener));
        router.get("/hello", () => "hello");
      });
      const socket = await open(t, port, "/rooms/tea?a=1");
      if (message !== undefined) socket.send(frame(TEXT, message));
      await socket.untilFrames(1);
      assert.equal(socket.frames[0].payload.readUInt16BE(), 1011);
      assert.equal(socket.frames[0].payload.length, 2, "nothing is told");
      await waitUntil(() => errors.length > 0);
      const [{ err, req }] = errors;
      assert.equal(err.message, "no");
      assert.equal(req.path, "/rooms/tea");
      assert.equal(req.params.room, "tea");
      assert.equal(req.url, "/rooms/tea?a=1");
      assert.equal(req.method, "GET");
      socket.send(close(1011));
      await socket.untilEnd();
      assert.equal((await ask(port, "GET", "/hello")).body, "hello");
      assert.equal(errors.length, 1);
    });
  }

  it("tells onError whose client it was, behind a proxy too", async (t) => {
    const options = { proxies: ["127.0.0.1"] };
    const { port, errors } = await serve(
      t,
      (router) => router.get("/fails", websocket(fail)),
      options,
    );
    await open(t, port, "/fails", { "x-forwarded-for": "192.0.2.7" });
    await waitUntil(() => errors.length > 0);
    assert.equal(errors[0].req.ip, "192.0.2.7");
  });

  it("tells onError the request's id and its logger", async (t) => {
    const destination = new Writable({
      write: (_chunk, _encoding, done) => done(),
    });
    const { port, errors } = await serve(t, (router) => {
      router.use(log({ destination }));
      router.get("/fails", websocket(fail));
    });
    await open(t, port, "/fails");
    await waitUntil(() => errors.length > 0);
    const [{ req }] = errors;
    assert.notEqual(req.id, "");
    assert.equal(typeof req.log?.error, "function");
  });

  for (const failure of [new Error("no log"), "no log"]) {
    it(`warns of an onError that throws ${typeof failure}, and goes on`, async (t) => {
      /** @type {string[]} */
      const warnings = [];
      const note = (/** @type {Error} */ { message }) => {
        warnings.push(message);
      };
      process.on("warning", note);
      t.after(() => process.off("warning", note));
      const router = new Router();
      router.get(
        "/fails",
        websocket((socket) => {
          socket.on("message", fail);
        }),
      );
      router.get("/hello", () => "hello");
      const onError = () => {
        throw failure;
      };
      const port = await listen(t, createServer(router, { onError }));
      const socket = await open(t, port, "/fails");
      socket.send(frame(TEXT, "{bad"));
      await socket.untilFrames(1);
      assert.equal(socket.frames[0].payload.readUInt16BE(), 1011);
      await waitUntil(() => warnings.some((text) => /no log/.test(text)));
      assert.equal((await ask(port, "GET", "/hello")).body, "hello");
    });
  }

  it("tells what a listener of close throws", async (t) => {
    const { port, errors } = await serveClosing(t, (socket) => {
      socket.on("close", fail);
    });
    const socket = await open(t, port, "/closes");
    socket.send(close(1000));
    await socket.untilEnd();
    socket.leave();
    await waitUntil(() => errors.length > 0);
    assert.equal(errors[0].err.message, "no");
  });

  it("hands on the messages behind one that failed to nobody", async (t) => {
    /** @type {any[]} */
    const came = [];
    const { port } = await serveClosing(t, (socket) => {
      socket.on("message", (/** @type {any} */ data) => {
        came.push(data);
        fail();
      });
    });
    const socket = await open(t, port, "/closes");
    socket.send(Buffer.concat([frame(TEXT, "a"), frame(TEXT, "b")]));
    await socket.untilFrames(1);
    await sleep(30);
    assert.deepEqual(came, ["a"]);
  });
});

describe("Too much, and too quiet", () => {
  testRealtime(velocy, { groups: ["limits"] });

  it("takes a message of a megabyte, and none of more, unless told", async (t) => {
    const { port } = await serve(t, (router) => {
      const echo = websocket((socket) => {
        socket.on("message", (data) => socket.send(`${data.length}`));
      });
      router.get("/echo", echo);
    });
    for (const [length, opcode] of [
      [2 ** 20, TEXT],
      [2 ** 20 + 1, 8],
    ]) {
      const socket = await open(t, port, "/echo");
      socket.send(frame(2, Buffer.alloc(length)));
      await socket.untilFrames(1);
      assert.equal(socket.frames[0].opcode, opcode, `${length} bytes`);
    }
  });

  for (const [what, bytes] of /** @type {[string, Buffer][]} */ ([
    ["pings", frame(9, "x".repeat(125))],
    ["messages that are sent back", frame(TEXT, "x".repeat(1000))],
  ])) {
    it(`cuts who sends ${what} and never reads`, async (t) => {
      let most = 0;
      const { port, closed } = await serveClosing(
        t,
        (socket) => {
          socket.on("message", (/** @type {any} */ data) => {
            socket.send(data);
            most = Math.max(most, socket.bufferedBytes);
          });
        },
        { bufferedBytes: 200_000 },
      );
      const connection = connectTo(port).pause();
      t.after(() => connection.destroy());
      connection.on("error", () => {});
      connection.write(requestFor("/closes"));
      const many = Buffer.concat(new Array(1000).fill(bytes));
      for (let i = 0; i < 2000 && closed.length === 0; i += 1) {
        if (connection.writableLength < 5e6) connection.write(many);
        await sleep(2);
      }
      assert.deepEqual(closed, [[1006, "the client reads too slowly"]]);
      assert.ok(most < 400_000, `${most} bytes waited`);
    });
  }

  it("cuts nobody for what it has held back itself", async (t) => {
    const { port, closed } = await serveClosing(t, (socket) => {
      socket.on("message", () => socket.send(Buffer.alloc(40_000)));
    });
    const socket = await open(t, port, "/closes");
    socket.send(
      Buffer.concat(Array.from({ length: 60 }, () => frame(TEXT, "x"))),
    );
    await socket.untilFrames(60);
    assert.equal(socket.frames.length, 60);
    assert.deepEqual(closed, []);
  });

  it("pings who is silent, and cuts who doesn't answer", async (t) => {
    const { port, closed } = await serveClosing(t, undefined, { idle: 60 });
    const socket = await open(t, port, "/closes");
    await socket.until(() => socket.isClosed, "it is still open");
    await waitUntil(() => closed.length > 0);
    assert.deepEqual(
      socket.frames.map(({ opcode }) => opcode),
      [9],
    );
    assert.deepEqual(closed, [[1006, ""]]);
  });

  it("keeps who answers its pings, or sends anything", async (t) => {
    // The hearts beat when this test says, not when a busy machine does.
    t.mock.timers.enable({ apis: ["setInterval"] });
    const idle = 60;
    const options = { idle };
    const { port, closed, server } = await serveClosing(
      t,
      undefined,
      options,
    );
    /** @type {import("node:net").Socket[]} */
    const connections = [];
    server.on("connection", (connection) => connections.push(connection));
    const readBytes = () =>
      connections.reduce((sum, { bytesRead }) => sum + bytesRead, 0);
    const socket = await open(t, port, "/closes");
    const talker = await open(t, port, "/closes");
    for (let pings = 1; pings <= 3; pings += 1) {
      const before = readBytes();
      t.mock.timers.tick(idle);
      talker.send(frame(TEXT, "x"));
      await waitUntil(() => readBytes() === before + 7);
      t.mock.timers.tick(idle);
      await socket.untilFrames(pings);
      socket.send(frame(10));
      talker.send(frame(TEXT, "x"));
      await waitUntil(() => readBytes() === before + 7 + 6 + 7);
    }
    assert.deepEqual(closed, []);
    assert.deepEqual(
      socket.frames.map(({ opcode }) => opcode),
      [9, 9, 9],
    );
    assert.equal(talker.frames.length, 0, "nobody asks who talks");
  });

  it("has a timer only while there is somebody", (t) => {
    t.mock.timers.enable({ apis: ["setInterval"] });
    let beats = 0;
    const heartbeat = new Heartbeat(100, () => {
      beats += 1;
    });
    const member = {};
    heartbeat.delete(member);
    heartbeat.add(member);
    t.mock.timers.tick(250);
    assert.equal(beats, 2);
    heartbeat.delete(member);
    t.mock.timers.tick(500);
    assert.equal(beats, 2);
    heartbeat.add(member);
    t.mock.timers.tick(100);
    assert.equal(beats, 3);
    heartbeat.delete(member);
  });
});

describe("A chat", () => {
  it("sends one frame to all in a room but the one who spoke", async (t) => {
    const rooms = new Rooms();
    /** @type {any[]} */
    const sockets = [];
    const { port } = await serve(t, (router) => {
      const route = websocket((socket, req) => {
        sockets.push(socket);
        rooms.join(req.params.room, socket);
        rooms.join(req.params.room, socket);
        socket.on("message", (data) => {
          rooms.send(req.params.room, data, socket);
        });
      });
      router.get("/rooms/:room", route);
    });
    const clients = [];
    for (const room of ["a", "a", "b"]) {
      clients.push(await open(t, port, `/rooms/${room}`));
    }
    await waitUntil(() => sockets.length === 3);
    assert.equal(rooms.size("a"), 2);
    clients[0].send(frame(TEXT, "hello"));
    await clients[1].untilFrames(1);
    clients[1].send(frame(2, Buffer.from([1, 2])));
    await clients[0].untilFrames(1);
    assert.equal(String(clients[1].frames[0].payload), "hello");
    assert.deepEqual([...clients[0].frames[0].payload], [1, 2]);
    assert.equal(clients[2].frames.length, 0);
  });

  it("leaves no listeners on a socket, however often it changes rooms", async (t) => {
    const rooms = new Rooms();
    let most = 0;
    const { port } = await serve(t, (router) => {
      const route = websocket((socket) => {
        for (let i = 0; i < 12; i += 1) {
          rooms.join(`stays ${i}`, socket);
          rooms.join(`passes ${i}`, socket);
          rooms.leave(`passes ${i}`, socket);
        }
        most = socket.listenerCount("close");
      });
      router.get("/rooms", route);
    });
    const client = await open(t, port, "/rooms");
    await waitUntil(() => most > 0);
    assert.equal(most, 1);
    assert.equal(rooms.size("passes 3"), 0);
    assert.equal(rooms.size("stays 3"), 1);
    client.leave();
    await waitUntil(() => rooms.size("stays 3") === 0);
    assert.equal(rooms.size("stays 11"), 0);
  });

  it("forgets who has left, and empty rooms", async (t) => {
    const rooms = new Rooms();
    /** @type {any[]} */
    const sockets = [];
    const { port } = await serve(t, (router) => {
      const route = websocket((socket) => {
        sockets.push(socket);
        rooms.join("a", socket);
        rooms.join("b", socket);
      });
      router.get("/rooms", route);
    });
    const clients = [];
    for (let i = 0; i < 3; i += 1)
      clients.push(await open(t, port, "/rooms"));
    await waitUntil(() => sockets.length === 3);
    rooms.leave("b", sockets[0]);
    rooms.leave("b", sockets[0]);
    rooms.leave("c", sockets[0]);
    assert.equal(rooms.size("b"), 2);
    for (const client of clients) client.leave();
    await waitUntil(() => rooms.size("a") === 0);
    assert.equal(rooms.size("b"), 0);
    rooms.join("a", sockets[0]);
    assert.equal(rooms.size("a"), 0, "who has left can't join");
    rooms.send("a", "nobody hears this");
  });

  it("closes all sockets in a room, with a code and a reason", async (t) => {
    const rooms = new Rooms();
    let joined = 0;
    const { port } = await serve(t, (router) => {
      const route = websocket((socket, req) => {
        rooms.join(req.params.room, socket);
        joined += 1;
      });
      router.get("/rooms/:room", route);
    });
    const clients = [];
    for (const room of ["a", "a", "b"]) {
      clients.push(await open(t, port, `/rooms/${room}`));
    }
    await waitUntil(() => joined === 3);
    rooms.close("nobody", 4001, "bye");
    rooms.close("a", 4001, "bye");
    for (const client of clients.slice(0, 2)) {
      await client.untilFrames(1);
      const [{ opcode, payload }] = client.frames;
      assert.deepEqual([opcode, payload.readUInt16BE()], [8, 4001]);
      assert.equal(String(payload.subarray(2)), "bye");
      client.send(close(4001));
      await client.untilEnd();
    }
    assert.equal(clients[2].frames.length, 0);
    assert.equal(rooms.size("b"), 1);
    await waitUntil(() => rooms.size("a") === 0);
  });

  it("refuses to send what is no message, also to nobody", () => {
    const send = () => new Rooms().send("a", /** @type {any} */ ({}));
    assert.throws(send, { code: "ERR_MESSAGE_INVALID" });
  });
});

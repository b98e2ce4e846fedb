/**
 * The contract for what is sent in real time: events, and WebSockets, down
 * to the bytes.
 *
 *     testRealtime(velocy);
 *     testRealtime(velocy, { groups: ["fragments"], connect });
 *
 * `connect` makes the client's end of a connection to a port.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { after, before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { portOf } from "../router/ask.js";
import { connectTo, RawSocket, requestFor } from "./client.js";
import { EVENT_CASES } from "./event-cases.js";
import { FRAME_GROUPS, LIMITS } from "./frame-cases.js";
import { close } from "./frames.js";
import { HANDSHAKE_CASES } from "./handshake-cases.js";

/** @import { Duplex } from "node:stream" */
/** @import { FrameCase, Expected } from "./frame-cases.js" */

export const GROUPS = [
  "handshake",
  "leaving",
  ...FRAME_GROUPS.map(({ name }) => name),
  "events",
  "what a listener throws",
];

const CHUNK = "x".repeat(65_536);
const CHUNKS = 16;

/**
 * @param {any} velocy
 * @param {Set<string>} busy who is being answered, by the query
 */
function routes({ Router, websocket, events }, busy) {
  const router = new Router();
  const stream = (/** @type {number} */ chunks) =>
    async function* send(/** @type {any} */ req) {
      const who = req.queryParams.get("who");
      busy.add(who);
      try {
        for (let i = 0; i < chunks; i += 1) yield CHUNK;
      } finally {
        busy.delete(who);
      }
    };
  router.get("/long", stream(CHUNKS));
  router.get("/endless", stream(Infinity));
  router.get("/news", (/** @type {any} */ req, /** @type {any} */ res) => {
    const who = req.queryParams.get("who");
    busy.add(who);
    const { signal } = events(req, res, { keepAlive: Infinity });
    signal.addEventListener("abort", () => busy.delete(who));
  });
  const echo = (/** @type {any} */ socket) => {
    socket.on("message", (/** @type {any} */ data) => socket.send(data));
  };
  router.get("/echo", websocket(echo, LIMITS));
  router.get(
    "/named",
    websocket(echo, { origins: ["https://app.example"] }),
  );
  router.get("/speaks", websocket(echo, { protocols: ["chat", "news"] }));
  router.get("/hello", () => "hello");
  router.use(
    "/guarded",
    (/** @type {any} */ _req, /** @type {any} */ res) => {
      res.status(401).text("who are you?\n");
    },
  );
  router.get("/guarded/echo", websocket(echo));
  router.use(
    "/marked",
    (
      /** @type {any} */ _req,
      /** @type {any} */ res,
      /** @type {any} */ next,
    ) => {
      res.setHeader("x-guard", "passed");
      res.setHeader("content-type", "text/plain");
      return next();
    },
  );
  router.get("/marked/echo", websocket(echo));
  router.get(
    "/events",
    (/** @type {any} */ req, /** @type {any} */ res) => {
      const stream = events(req, res);
      try {
        stream.send(JSON.parse(req.queryParams.get("event")));
      } catch (/** @type {any} */ err) {
        stream.comment(err.code);
      }
      stream.close();
    },
  );
  return router;
}

/**
 * @param {any} velocy
 * @param {{ groups?: string[], connect?: (port: number) => Duplex }} [options]
 */
export function testRealtime(
  velocy,
  { groups = GROUPS, connect = connectTo } = {},
) {
  const unknown = groups.filter((name) => !GROUPS.includes(name));
  if (unknown.length > 0) throw new Error(`no such group: ${unknown}`);
  /** @type {any} */
  let server;
  /** @type {unknown[]} */
  const errors = [];
  /** @type {Set<string>} */
  const busy = new Set();
  before(async () => {
    const onError = (/** @type {unknown} */ err) => errors.push(err);
    server = velocy.createServer(routes(velocy, busy), { onError });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
  });
  after(() => {
    server.closeAllConnections();
    server.close();
    assert.deepEqual(
      errors,
      [],
      "no client's mistake is an error of the server's",
    );
  });
  const open = () => new RawSocket(connect(portOf(server)));

  if (groups.includes("handshake")) testHandshakes(open);
  if (groups.includes("leaving")) testLeaving(open, busy);
  for (const { name, section, cases } of FRAME_GROUPS) {
    if (!groups.includes(name)) continue;
    describe(`${name} (RFC 6455, ${section})`, () => {
      for (const each of cases)
        test(each.name, () => runCase(open(), each));
    });
  }
  if (groups.includes("events")) testEvents(open);
  if (groups.includes("what a listener throws"))
    testFailing(velocy, connect);
}

/**
 * What a program asks of the request that `onError` gets, it also asks of a
 * client that is about to leave.
 *
 * @param {any} velocy
 * @param {(port: number) => Duplex} connect
 */
function testFailing({ createServer, Router, websocket }, connect) {
  test("gives onError a signal, and outlives the client's leaving", async (t) => {
    const router = new Router();
    const fail = () => {
      throw new Error("no");
    };
    router.get("/fails", websocket(fail));
    router.get(
      "/echo",
      websocket(() => {}),
    );
    /** @type {boolean[]} */
    const told = [];
    const onError = (
      /** @type {unknown} */ _err,
      /** @type {any} */ req,
    ) => {
      told.push(req.signal.aborted);
    };
    const server = createServer(router, { onError });
    t.after(() => {
      server.closeAllConnections();
      server.close();
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const failed = new RawSocket(connect(portOf(server)));
    failed.send(requestFor("/fails"));
    await failed.untilFrames(1);
    failed.send(close(1011));
    await failed.untilEnd();
    failed.leave();
    await waitUntil(() => told.length > 0, "nobody was told");
    assert.deepEqual(told, [false]);
    const next = new RawSocket(connect(portOf(server)));
    next.send(requestFor("/echo"));
    await next.untilHead();
    next.leave();
    assert.equal(next.statusCode, 101);
  });
}

/** @param {() => RawSocket} open */
function testHandshakes(open) {
  describe("handshake (RFC 6455, 4.2)", () => {
    for (const [
      name,
      fields,
      expected,
      path = "/echo",
      method,
    ] of HANDSHAKE_CASES) {
      test(`${name} gives ${expected.statusCode}`, async () => {
        const socket = open();
        socket.send(requestFor(path, fields, method));
        await socket.untilHead();
        assert.equal(socket.statusCode, expected.statusCode, socket.head);
        for (const [field, value] of Object.entries(
          expected.fields ?? {},
        )) {
          assert.equal(socket.field(field), value, field);
        }
        if (expected.statusCode === 101) socket.send(close(1000));
        const isOurs = socket.field("connection")?.includes("close");
        if (isOurs || expected.statusCode === 101) await socket.untilEnd();
        socket.leave();
      });
    }
  });
}

/** @param {string} path */
const plain = (path) =>
  requestFor(path, { connection: null, upgrade: null });

/**
 * What a server may answer without asking anybody.
 *
 * @type {[what: string, fields: Record<string, string | null>][]}
 */
const RUDE = [
  ["without a Host", { host: null }],
  ["with an Expect that nobody knows", { expect: "much" }],
];

/** Where an upgrade comes behind another request, or gets a long answer. */
const LEAVING = [
  ["an endless answer", requestFor("/endless?who=")],
  ["an endless answer and an upgrade", plain("/endless?who="), "/echo"],
  ["two answers and an upgrade", plain("/endless?who="), "/hello", "/echo"],
  ["events for an upgrade", requestFor("/news?who=")],
  ["events for an upgrade behind a request", plain("/hello"), "/news?who="],
  ["events and an upgrade", plain("/news?who="), "/echo"],
];

/** @param {() => RawSocket} open @param {Set<string>} busy */
function testLeaving(open, busy) {
  describe("an upgrade and the answers before it", () => {
    test("gives the answer before an upgrade its room", async () => {
      const socket = open();
      socket.send(plain("/long?who=a") + requestFor("/echo"));
      const isThere = () => socket.body.includes("HTTP/1.1 101 ");
      await socket.until(isThere, "the second answer did not come");
      socket.leave();
      const [body] = socket.body.split("HTTP/1.1 101 ");
      assert.equal(body.match(/x/g)?.length, CHUNKS * CHUNK.length);
    });

    for (const [what, fields] of RUDE) {
      test(`outlives an upgrade behind a request ${what}`, async () => {
        const rude = open();
        const without = { connection: null, upgrade: null, ...fields };
        const first = requestFor("/hello", without);
        rude.send(first + requestFor("/echo"));
        await rude.untilHead();
        rude.leave();
        const socket = open();
        socket.send(requestFor("/echo"));
        await socket.untilHead();
        socket.leave();
        assert.equal(socket.statusCode, 101, socket.head);
      });
    }

    for (const [what, first, ...more] of LEAVING) {
      // Who ends while it reads an endless answer reads for ever.
      const isEndless = first.includes("/endless");
      /** @type {("leave" | "end")[]} */
      const ways = isEndless ? ["leave"] : ["leave", "end"];
      for (const how of ways) {
        test(`sees a client leave (${how}): ${what}`, async () => {
          const socket = open();
          socket.pause();
          const last = more.at(-1);
          const rest = more.slice(0, -1).map(plain).join("");
          const upgrade = last === undefined ? "" : requestFor(last);
          const who = `${what} ${how}`.replaceAll(" ", "-");
          const bytes = `${first}${rest}${upgrade}`;
          socket.send(bytes.replace("who=", `who=${who}`));
          await waitUntil(() => busy.has(who), "nobody was answered");
          socket[how]();
          try {
            await waitUntil(() => !busy.has(who), "it isn't seen");
          } finally {
            socket.leave();
          }
        });
      }
    }
  });
}

/** @param {() => boolean} isTrue @param {string} complaint */
async function waitUntil(isTrue, complaint) {
  for (let i = 0; i < 200 && !isTrue(); i += 1) await sleep(10);
  assert.ok(isTrue(), complaint);
}

/** @param {RawSocket} socket @param {FrameCase} each */
async function runCase(socket, { send, size, expect }) {
  try {
    socket.send(requestFor("/echo"));
    await socket.untilHead();
    assert.equal(socket.statusCode, 101, socket.head);
    if (size !== undefined)
      await socket.sendInPieces(Buffer.concat(send), size);
    else for (const piece of send) socket.send(piece);
    const isClosed = expect.some(([opcode]) => opcode === 8);
    if (!isClosed) {
      await socket.untilFrames(expect.length);
      socket.send(close(1000));
    }
    await socket.untilEnd();
    const all = isClosed
      ? expect
      : [...expect, /** @type {Expected} */ ([8, "\x03\xe8"])];
    const came = socket.frames.map(({ opcode, isLast, payload }) => {
      assert.ok(isLast, "an echo is one frame");
      return brief(opcode, payload);
    });
    assert.deepEqual(
      came,
      all.map(([opcode, payload]) => brief(opcode, payload)),
    );
  } finally {
    socket.leave();
  }
}

/** @param {number} opcode @param {string | Buffer} payload */
function brief(opcode, payload) {
  const isText = typeof payload === "string";
  const bytes = isText
    ? Buffer.from(payload, opcode === 8 ? "latin1" : "utf8")
    : payload;
  return [
    opcode,
    (opcode === 8 ? bytes.subarray(0, 2) : bytes).toString("latin1"),
  ];
}

/** @param {() => RawSocket} open */
function testEvents(open) {
  describe("events (HTML Standard, 9.2.6)", () => {
    for (const [name, event, text] of EVENT_CASES) {
      test(name, async () => {
        const socket = open();
        const path = `/events?event=${encodeURIComponent(JSON.stringify(event))}`;
        const fields = { upgrade: null, connection: "close" };
        socket.send(requestFor(path, fields));
        await socket.untilEnd();
        socket.leave();
        assert.equal(socket.field("content-type"), "text/event-stream");
        assert.match(socket.field("cache-control") ?? "", /no-store/);
        const isError = text.startsWith("ERR_");
        const expected = isError ? `: ${text}\n\n` : text;
        const body = Buffer.from(socket.body, "latin1").toString();
        const [size] = body.split("\r\n");
        assert.equal(
          Number.parseInt(size, 16),
          Buffer.byteLength(expected),
        );
        assert.ok(
          body.includes(`\r\n${expected}\r\n`),
          JSON.stringify(body),
        );
      });
    }
  });
}

import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import {
  answers,
  exchange,
  httpContract,
  parserProperties,
  slowReaders,
  splitAnywhere,
  startProgram,
  startServer,
} from "../../contracts/http/index.js";
import { describeRequest } from "../lib/describe-request.js";
import { HttpError } from "../lib/errors.js";
import { defaultLimits } from "../lib/limits.js";
import { RequestParser } from "../lib/request-parser.js";
import { createServer } from "../lib/server.js";

const start = startServer((options) =>
  createServer(describeRequest, options),
);
const contract = httpContract({
  start,
  until: 4,
});
const GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
const LAST = GET.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n");
const LARGE = 8 * 1024 ** 2;
const REFUSED = `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${LARGE}\r\n\r\n`;

describe("A pattern that goes back", () => {
  it("reads a hundred thousand spaces in no time", () => {
    const limits = { ...defaultLimits, fieldSectionBytes: 1_000_000 };
    /** @type {string[]} */
    const values = [];
    const parser = new RequestParser({
      limits,
      onRequest: ({ fields }) => values.push(String(fields.x)),
    });
    const value = `a${" ".repeat(100_000)}b`;
    const before = process.cpuUsage();
    parser.push(
      Buffer.from(`GET / HTTP/1.1\r\nHost: a\r\nX: ${value}\r\n\r\n`),
    );
    const took = cpuTimeSince(before);
    assert.deepEqual(values, [value]);
    // The pattern that goes back takes seconds.
    assert.ok(took < 500, `took ${took} ms`);
  });
});

describe("How much is too much?", () => {
  it("reads a request line that comes byte by byte in no time", () => {
    const limits = { ...defaultLimits, requestLineBytes: 1_000_000 };
    const parser = new RequestParser({ limits, onRequest: () => {} });
    const line = Buffer.from(`GET /${"a".repeat(200_000)}`);
    const before = process.cpuUsage();
    for (let at = 0; at < line.length; at++) {
      parser.push(line.subarray(at, at + 1));
    }
    const took = cpuTimeSince(before);
    // A parser that looks at all of the line each time takes seconds.
    assert.ok(took < 800, `took ${took} ms`);
  });

  contract.check({
    group: "limits",
    name: /request line (of|that has|beyond)|field|head that never|anew/,
  });
});

describe("A body of a terabyte, a byte at a time", () => {
  setFlagsFromString("--expose-gc");
  const gc = runInNewContext("gc");

  it("keeps a field line that comes byte by byte in little memory", () => {
    const parsers = Array.from(
      { length: 20 },
      () => new RequestParser({ onRequest: () => {} }),
    );
    for (const parser of parsers) {
      parser.push(Buffer.from("GET / HTTP/1.1\r\nHost: a\r\nX: "));
    }
    gc();
    const before = process.memoryUsage().heapUsed;
    const length = 16_000;
    for (const parser of parsers) {
      for (let i = 0; i < length; i++) parser.push(Buffer.alloc(1, "a"));
    }
    gc();
    const grown = process.memoryUsage().heapUsed - before;
    const each = grown / parsers.length / length;
    // A string that only grows by += takes more than 30.
    assert.ok(each < 5, `each byte takes ${each.toFixed(1)} bytes`);
    for (const parser of parsers) assert.equal(parser.isInHead, true);
  });

  it("keeps at most one chunk for a request that isn't complete", () => {
    const chunk = 64 * 1024;
    const tail = "GET /aaaaaaaaaaaaaaaaaaaaaaaa HTTP/1.1\r\nHost: x";
    const count = Math.floor((chunk - tail.length) / GET.length);
    // The end of the request that the chunk before began.
    const bytes = Buffer.from(`\r\n\r\n${GET.repeat(count - 1)}${tail}`);
    const parsers = Array.from(
      { length: 10 },
      () => new RequestParser({ onRequest: () => {} }),
    );
    for (const parser of parsers) parser.push(Buffer.from(tail));
    gc();
    const before = process.memoryUsage().heapUsed;
    for (const parser of parsers) {
      for (let i = 0; i < 3; i++) parser.push(bytes);
    }
    gc();
    const grown = process.memoryUsage().heapUsed - before;
    const each = grown / parsers.length;
    assert.ok(each < 1.2 * chunk, `each keeps ${Math.round(each)} bytes`);
    for (const parser of parsers) assert.equal(parser.isInHead, true);
  });

  contract.check({ group: "limits", status: [413, 431] });
  contract.check({ group: "limits", name: /^takes (a body|chunks)/ });
});

describe("Somebody with all the time in the world", () => {
  contract.check({ group: "limits" });
  contract.check({ group: "keep-alive" });

  /** @type {[string, Record<string, unknown>][]} */
  const wrong = [
    ["a name that is no limit", { headTimout: 1000 }],
    ["a limit of 0", { bodyBytes: 0 }],
    ["a negative limit", { fieldCount: -1 }],
    ["a limit that is no number", { idleTimeout: "5s" }],
    ["NaN", { headTimeout: Number.NaN }],
  ];
  for (const [what, limits] of wrong) {
    it(`does not make a server with ${what}`, () => {
      assert.throws(
        () => createServer(describeRequest, { limits }),
        new RegExp(Object.keys(limits)[0]),
      );
    });
  }

  it("gives a head no more time than a whole request", async (t) => {
    const limits = { headTimeout: 5_000, requestTimeout: 200 };
    const server = await start({ limits });
    t.after(() => server.close());
    const before = performance.now();
    const { responses } = await exchange(server, "GET / HT");
    const took = performance.now() - before;
    assert.equal(responses[0].status, 408);
    assert.ok(took < 3_000, `it took ${took} ms`);
  });

  it("counts the time of a request behind another from its own first byte", async (t) => {
    const server = await start({ limits: { headTimeout: 1_000 } });
    t.after(() => server.close());
    const socket = connect({ port: server.port, host: "localhost" });
    t.after(() => socket.destroy());
    let answer = "";
    socket.on("data", (bytes) => {
      answer += bytes;
    });
    socket.write("GET / HT");
    await delay(500);
    socket.write("TP/1.1\r\nHost: a\r\n\r\nGET / HT");
    const before = performance.now();
    await once(socket, "end");
    const took = performance.now() - before;
    assert.match(answer, /^HTTP\/1\.1 200 [\s\S]*HTTP\/1\.1 408 /);
    assert.ok(took > 900, `it took ${took} ms`);
  });

  it("serves when every limit is Infinity", async (t) => {
    const unlimited = Object.keys(defaultLimits).map((name) => [
      name,
      Infinity,
    ]);
    const server = await start({ limits: Object.fromEntries(unlimited) });
    t.after(() => server.close());
    for (const request of [LAST, "pizza\r\n"]) {
      const { ending } = await exchange(server, request);
      assert.equal(ending, "closed");
    }
  });
});

describe("A bug that is an off switch", () => {
  it("answers 500 when the handler throws, and serves the next", async (t) => {
    const server = await startServer((options) =>
      createServer((request) => {
        if (request.target === "/") throw new Error("secret");
        return describeRequest(request);
      }, options),
    )({ limits: {} });
    t.after(() => server.close());
    const failed = await exchange(server, GET);
    assert.equal(failed.responses[0].status, 500);
    assert.doesNotMatch(failed.responses[0].body.toString(), /secret/);
    const next = await exchange(server, GET.replace("/ ", "/x "), {
      responses: 1,
    });
    assert.equal(next.responses[0].status, 200);
  });
});

describe("An answer without its body", () => {
  contract.check({ group: "errors close", name: /HEAD/ });
});

describe("Somebody who never reads", () => {
  slowReaders(start, createServer);
});

describe("Somebody who never stops", () => {
  for (const [what, bytes] of Object.entries({
    "it was refused": REFUSED,
    "its last request was answered": LAST,
  })) {
    it(`hangs up on a client that sends on when ${what}`, async (t) => {
      const server = await start({ limits: { lingerTimeout: 200 } });
      t.after(() => server.close());
      const before = performance.now();
      await sendUntilReset(server.port, bytes);
      const took = performance.now() - before;
      // A timer may be early by a little.
      assert.ok(took > 190 && took < 2_000, `it took ${took} ms`);
    });
  }

  for (const [how, pause] of Object.entries({
    "at once": 0,
    "in two seconds": 100,
  })) {
    it(`lets a client send all of its body ${how} before it reads its 413`, async (t) => {
      const server = await start({ limits: {} });
      t.after(() => server.close());
      const answer = await sendThenRead(server.port, pause);
      assert.match(answer, /^HTTP\/1\.1 413 /);
    });
  }
});

describe("Two servers, two opinions", () => {
  contract.check({ group: "framing" });
  contract.check({ group: "chunked" });
  contract.check({ group: "errors close" });
});

describe("Two hosts in one request", () => {
  contract.check({ group: "targets", name: /Host|believes/ });
});

describe("What goes out", () => {
  answers(createServer);

  it("answers 500 for an HttpError whose message is a symbol", async (t) => {
    const thrown = Object.assign(new HttpError(400, ""), {
      message: Symbol(),
    });
    assert.deepEqual(await statusesWhenThrown(t, () => thrown), [500, 500]);
  });

  it("answers when an HttpError's message throws at the second look", async (t) => {
    const makeThrown = () => {
      let looks = 0;
      return Object.defineProperty(new HttpError(400, ""), "message", {
        get() {
          looks += 1;
          if (looks > 1) throw new Error("don't");
          return "no";
        },
      });
    };
    assert.deepEqual(await statusesWhenThrown(t, makeThrown), [400, 400]);
  });
});

describe("What else the standard asks for", () => {
  contract.check({ group: "targets" });
  contract.check({ group: "fields", name: /Cookie lines/ });
  contract.check({ group: "methods and versions" });
  contract.check({ group: "expect" });
});

describe("What we have", () => {
  contract.checkTheRest();
  contract.checkByteByByte();
  splitAnywhere(RequestParser, { until: 4 });
  parserProperties(RequestParser);

  it("runs as a program", async (t) => {
    const server = await startProgram(new URL("..", import.meta.url))({
      limits: {},
    });
    t.after(() => server.close());
    const { responses } = await exchange(server, GET, { responses: 1 });
    assert.equal(JSON.parse(responses[0].body.toString()).target, "/");
  });
});

/**
 * @param {import("node:test").TestContext} t
 * @param {() => unknown} makeThrown what the handler throws
 * @returns {Promise<number[]>} of two requests, one after the other
 */
async function statusesWhenThrown(t, makeThrown) {
  const server = await startServer((options) =>
    createServer(() => {
      throw makeThrown();
    }, options),
  )({ limits: {} });
  t.after(() => server.close());
  const statuses = [];
  for (let time = 0; time < 2; time++) {
    const { responses } = await exchange(server, GET);
    statuses.push(responses[0].status);
  }
  return statuses;
}

/**
 * Sends bytes, and more every 20 ms whatever comes back, until the server
 * doesn't take any more.
 *
 * @param {number} port
 * @param {string} bytes
 * @returns {Promise<void>}
 */
function sendUntilReset(port, bytes) {
  return new Promise((resolve) => {
    const socket = connect({
      port,
      host: "localhost",
      allowHalfOpen: true,
    });
    socket.resume();
    socket.write(bytes);
    const timer = setInterval(() => socket.write("x".repeat(100)), 20);
    socket.on("error", () => {
      clearInterval(timer);
      socket.destroy();
      resolve();
    });
  });
}

/**
 * @param {number} port
 * @param {number} pause before each twentieth of the body, in milliseconds
 * @returns {Promise<string>} the answer, or the code of the error
 */
async function sendThenRead(port, pause) {
  const socket = connect({ port, host: "localhost" });
  socket.pause();
  const failed = once(socket, "error").then(([{ code }]) => code);
  const piece = Buffer.alloc(LARGE / 20, "a");
  socket.write(REFUSED);
  for (let count = 0; count < 20; count++) {
    await delay(pause);
    const sent = new Promise((resolve) => socket.write(piece, resolve));
    await Promise.race([sent, failed]);
  }
  socket.resume();
  const answered = once(socket, "data").then(([bytes]) => bytes.toString());
  return Promise.race([answered, failed]);
}

/**
 * A busy machine adds nothing to it, as it would to the time of a clock.
 *
 * @param {NodeJS.CpuUsage} before
 * @returns {number} in milliseconds
 */
function cpuTimeSince(before) {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

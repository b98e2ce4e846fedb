import assert from "node:assert/strict";
import { once } from "node:events";
import net from "node:net";
import { describe, it } from "node:test";
import {
  exchange,
  post,
  testBodies,
  testUnread,
} from "../../contracts/bodies/index.js";
import { ask, listen } from "../../contracts/router/ask.js";
import * as velocy from "../index.js";
import { bodyLengthOf } from "../lib/request/body.js";
import { decodeText, requireType } from "../lib/request/content.js";
import { parseField } from "../lib/request/field.js";
import { gather } from "../lib/request/gather.js";
import { Request } from "../lib/request/request.js";

const { createServer, Router, UsageError } = velocy;

const HEAD = "HTTP/1.1\r\nHost: x\r\n";

describe("Count every byte", () => {
  testBodies(velocy, "limits");

  it("answers a body that is too large, also in chunks", async (t) => {
    const router = new Router().post(
      "/",
      { bodyBytes: 10 },
      async (req) => {
        for await (const chunk of req)
          assert.ok(
            chunk.length <= 10,
            "more than 10 bytes were handed out",
          );
        return "read";
      },
    );
    const port = await listen(t, createServer(router));
    const body = "a".repeat(1_000_000);
    for (const fields of [{}, { "transfer-encoding": "chunked" }]) {
      const { statusCode } = await post(port, "/", fields, body);
      assert.equal(statusCode, 413);
    }
  });

  it("tells nobody of a body that was refused", async (t) => {
    /** @type {unknown[]} */
    const told = [];
    const router = new Router();
    router.post("/", { bodyBytes: 10 }, (req) => req.text());
    const server = createServer(router, {
      onError: (err) => told.push(err),
    });
    const port = await listen(t, server);
    for (const length of [11, 100_000, 3_000_000]) {
      for (const path of ["/", "/nowhere"]) {
        for (const fields of [{}, { "transfer-encoding": "chunked" }]) {
          await post(port, path, fields, "a".repeat(length));
        }
      }
    }
    assert.deepEqual(told, []);
  });
});

describe("Refuse early, stay alive", () => {
  it("refuses an announced length before the first byte", async (t) => {
    const router = new Router().post("/", (req) => req.text());
    const port = await listen(t, createServer(router));
    const bytes = `POST / ${HEAD}Content-Length: 1048577\r\n\r\n`;
    const { statusCodes, ending } = await exchange(port, bytes);
    assert.deepEqual(statusCodes, [413]);
    assert.equal(ending, "closed");
  });

  it("lets a guard answer first", async (t) => {
    const router = new Router();
    router.use((_req, res) => res.status(401).text("who are you?\n"));
    router.post("/", () => "never");
    const port = await listen(t, createServer(router));
    const bytes = `POST / ${HEAD}Content-Length: 1048577\r\n\r\n`;
    const { statusCodes } = await exchange(port, bytes);
    assert.deepEqual(statusCodes, [401]);
  });

  it("answers for a handler that has only data and end", async (t) => {
    const router = new Router().post("/", (req, res) => {
      req.on("data", () => {});
      req.on("end", () => res.end("read"));
    });
    const port = await listen(t, createServer(router));
    const chunked = { "transfer-encoding": "chunked" };
    const large = await post(port, "/", chunked, "a".repeat(2_000_000));
    assert.equal(large.statusCode, 413);
    const small = await post(port, "/", chunked, "a");
    assert.equal(small.body, "read");
  });

  it("leaves the answer to a handler that listens once for errors", async (t) => {
    /** @type {unknown[]} */
    const told = [];
    const router = new Router().post("/", (req, res) => {
      req.on("data", () => {});
      req.once("error", (err) => {
        setImmediate(() => res.status(400).text(`mine: ${err.message}`));
      });
    });
    const onError = (/** @type {unknown} */ err) => told.push(err);
    const port = await listen(t, createServer(router, { onError }));
    const chunked = { "transfer-encoding": "chunked" };
    const answer = await post(port, "/", chunked, "a".repeat(2_000_000));
    assert.equal(answer.statusCode, 400);
    assert.equal(answer.body, "mine: Payload Too Large");
    assert.deepEqual(told, []);
  });

  it("reads the announced length", () => {
    assert.equal(bodyLengthOf(["Host", "x"]), 0);
    assert.equal(bodyLengthOf(["CONTENT-length", "7"]), 7);
    assert.equal(bodyLengthOf(["transfer-ENCODING", "chunked"]), NaN);
    assert.equal(bodyLengthOf(["X", "Content-Length", "Y", "7"]), 0);
  });

  it("knows no length where Node may have dropped a field", () => {
    const fields = Array.from({ length: 2_000 }, () => "a");
    assert.equal(bodyLengthOf(fields), NaN);
    assert.equal(bodyLengthOf(fields.slice(2)), 0);
  });

  it("survives a body too large whose field was dropped", async (t) => {
    const router = new Router();
    router.get("/", () => "still here");
    router.get("/slow", async () => {
      await new Promise((resolve) => setTimeout(resolve, 200));
      return "slow";
    });
    const port = await listen(t, createServer(router));
    const length = 1_048_577;
    const fields = "a:\r\n".repeat(1_100);
    const head = `POST / ${HEAD}${fields}Transfer-Encoding: chunked\r\n\r\n`;
    const chunk = `${length.toString(16)}\r\n${"a".repeat(length)}`;
    // The server may hang up before all has been sent.
    const sent = exchange(port, `GET /slow ${HEAD}\r\n${head}${chunk}`);
    await sent.catch(() => {});
    assert.equal((await ask(port, "GET", "/")).body, "still here");
  });

  it("ends no process over a body that nothing announced", async () => {
    const req = new Request(/** @type {any} */ ({}));
    // once() of node:events would listen for errors as well.
    const closed = new Promise((resolve) => req.on("close", resolve));
    req.resume();
    await new Promise((resolve) => setImmediate(resolve));
    req.push(Buffer.alloc(1_048_577));
    await closed;
    assert.ok(req.destroyed, "the body was not given up");
  });
});

describe("A route's own limit", () => {
  for (const bodyBytes of ["1mb", "10", NaN, -1, 1.5, null, {}]) {
    it(`is no ${JSON.stringify(bodyBytes)} (${typeof bodyBytes})`, () => {
      const add = () => {
        const options = /** @type {any} */ ({ bodyBytes });
        new Router().post("/", options, () => {});
      };
      assert.throws(add, { code: "ERR_OPTION_INVALID" });
    });
  }

  it("is spelled as it is spelled", () => {
    const options = /** @type {any} */ ({ bodyByte: 5 });
    const add = () => new Router().post("/", options, () => {});
    assert.throws(add, (err) => {
      assert.ok(err instanceof UsageError, "it is no UsageError");
      assert.match(err.message, /did you mean bodyBytes/);
      return true;
    });
  });

  it("goes with a route that is mounted", async (t) => {
    const inner = new Router();
    inner.post("/a", { bodyBytes: 3 }, (req) => req.text());
    const router = new Router().mount("/inner", inner);
    const port = await listen(t, createServer(router));
    const large = await post(port, "/inner/a", {}, "abcd");
    assert.equal(large.statusCode, 413);
    assert.equal((await post(port, "/inner/a", {}, "abc")).body, "abc");
  });
});

describe("What nobody has read", () => {
  testUnread(velocy);

  for (const [path, what] of [
    ["/text", "was refused"],
    ["/first", "was begun"],
    ["/left", "was left, and stopped its socket"],
    ["/nowhere", "has no reader"],
  ]) {
    it(`is read and dropped if it ${what}`, async (t) => {
      const router = new Router();
      router.post("/text", (req) => req.text());
      router.post("/first", { bodyBytes: Infinity }, async (req) => {
        await once(req, "data");
        req.pause();
        return "answer";
      });
      router.post("/left", { bodyBytes: Infinity }, async (req) => {
        for await (const chunk of req) if (chunk.length > 0) break;
        await new Promise((resolve) => setTimeout(resolve, 100));
        return "answer";
      });
      const port = await listen(t, createServer(router));
      const address = { port, host: "127.0.0.1", allowHalfOpen: true };
      const socket = net.connect(address).setEncoding("latin1");
      /** @type {Error[]} */
      const errors = [];
      socket.on("error", (err) => errors.push(err));
      const answered = once(socket, "data");
      const head = "Transfer-Encoding: chunked\r\n\r\n";
      socket.write(`POST ${path} ${HEAD}${head}1c9c380\r\n`);
      // More than all buffers on the way can hold.
      for (let i = 0; i < 100; i += 1) {
        const isGone = await new Promise((resolve) => {
          socket.write("a".repeat(300_000), (err) => resolve(err !== null));
        });
        if (isGone) break;
      }
      const [answer] = await answered;
      assert.match(answer, /^HTTP\/1\.1 (413|200|404) /);
      assert.deepEqual(errors, []);
      socket.end();
      await once(socket, "close");
      assert.deepEqual(errors, []);
    });
  }

  it("stays in the kernel if its reader has left", async (t) => {
    const router = new Router();
    router.post("/", { bodyBytes: Infinity }, async (req) => {
      const { socket } = req;
      for await (const chunk of req) if (chunk.length > 0) break;
      await new Promise((resolve) => setTimeout(resolve, 200));
      return socket.bytesRead;
    });
    const port = await listen(t, createServer(router));
    for (const fields of [{}, { "transfer-encoding": "chunked" }]) {
      const answer = await post(port, "/", fields, "a".repeat(20_000_000));
      assert.equal(answer.headers.connection, "close");
      assert.ok(Number(answer.body) < 1_000_000, `${answer.body} bytes`);
    }
  });

  it("doesn't hide the connection from a deadline", async (t) => {
    const router = new Router();
    const options = { bodyBytes: Infinity, timeout: 50 };
    router.post("/", options, async (req) => {
      for await (const chunk of req) if (chunk.length > 0) break;
      await new Promise((resolve) => setTimeout(resolve, 150));
      return "late";
    });
    const server = createServer(router, { onError: () => {} });
    const port = await listen(t, server);
    const bytes = `POST / ${HEAD}Content-Length: 5000000\r\n\r\n`;
    const text = `${bytes}${"a".repeat(1_000_000)}`;
    const { statusCodes } = await exchange(port, text);
    assert.deepEqual(statusCodes, [503]);
  });

  for (const [what, body] of [
    ["a request", ""],
    ["a request with a body", "a".repeat(70_000)],
  ]) {
    it(`carries out no ${what.slice(2)} behind the last answer`, async (t) => {
      let count = 0;
      const router = new Router();
      router.use((req, res, next) => {
        if (req.path === "/guarded") return res.status(401).text("no\n");
        count += 1;
        return next();
      });
      router.post("/guarded", { bodyBytes: Infinity }, () => "never");
      router.post("/", { bodyBytes: Infinity }, () => "too late");
      const server = createServer(router);
      const connected = once(server, "connection");
      const port = await listen(t, server);
      const socket = net.connect({ port, allowHalfOpen: true });
      t.after(() => socket.destroy());
      socket.on("error", () => {});
      let received = "";
      socket.on("data", (chunk) => {
        received += chunk;
      });
      const length = "Content-Length: 100000\r\n\r\n";
      socket.write(`POST /guarded ${HEAD}${length}`);
      const [served] = await connected;
      await once(socket, "end");
      const done = once(served, "close");
      socket.write("a".repeat(100_000));
      const fields = `${HEAD}Content-Length: ${body.length}\r\n\r\n`;
      socket.end(`POST / ${fields}${body}`);
      await done;
      assert.match(received, /^HTTP\/1\.1 401 /);
      assert.equal(count, 0);
      assert.equal(received.split("HTTP/1.1").length, 2);
    });
  }

  /** @type {Record<string, (req: any) => unknown>} */
  const leaving = {
    pauses: async (req) => {
      await once(req, "data");
      req.pause();
      return "answer";
    },
    leaves: async (req) => {
      for await (const chunk of req) if (chunk.length > 0) break;
      return "answer";
    },
  };
  for (const [does, handler] of Object.entries(leaving)) {
    it(`is taken in if it is small and its reader ${does}`, async (t) => {
      const router = new Router().post("/", handler);
      router.get("/", () => "next");
      const port = await listen(t, createServer(router));
      const socket = net.connect(port, "127.0.0.1").setEncoding("latin1");
      t.after(() => socket.destroy());
      socket.setTimeout(2_000, () => socket.destroy());
      socket.write(`POST / ${HEAD}Content-Length: 65536\r\n\r\n`);
      let received = "";
      socket.on("data", (text) => {
        received += text;
      });
      for (let i = 0; i < 4; i += 1) {
        socket.write("a".repeat(16_384));
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      socket.write(`GET / ${HEAD}Connection: close\r\n\r\n`);
      await once(socket, "close");
      assert.match(received, /answer.*next$/s);
    });
  }

  it("leaves no connection behind", async (t) => {
    const router = new Router().post("/", () => "answer");
    const server = createServer(router);
    const port = await listen(t, server);
    for (let i = 0; i < 10; i += 1) {
      const answer = await post(port, "/", {}, "a".repeat(500_000));
      assert.equal(answer.body, "answer");
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
    const count = await new Promise((resolve) => {
      server.getConnections((_err, connections) => resolve(connections));
    });
    assert.equal(count, 0);
  });
});

describe("May I send it?", () => {
  const expecting = `${HEAD}Expect: 100-continue\r\n`;

  /** @type {[what: string, target: string, length: number, statusCodes: number[]][]} */
  const cases = [
    ["asks for what it reads", "/read", 3, [100, 200]],
    ["doesn't ask for what is too large", "/read", 2_000_000, [413]],
    ["doesn't ask for what nobody reads", "/ignore", 3, [200]],
    ["doesn't ask before it says 404", "/nowhere", 3, [404]],
    ["doesn't ask before a guard says 401", "/admin", 3, [401]],
    ["asks once", "/slow", 3, [100, 200]],
    ["doesn't ask if middleware reads too much", "/early", 2e6, [413]],
    ["doesn't ask in the middle of an answer", "/begun", 3, [200]],
  ];
  for (const [what, target, length, statusCodes] of cases) {
    it(what, async (t) => {
      const router = new Router();
      router.use("/admin", (_req, res) => res.status(401).text("no"));
      router.use("/early", async (req, _res, next) => {
        await req.text();
        return next();
      });
      router.post("/begun", async (req, res) => {
        res.write("begun");
        await req.text();
        res.end();
      });
      router.post("/read", (req) => req.text());
      router.post("/ignore", () => "ignored");
      router.post("/slow", async (req) => {
        await new Promise(setImmediate);
        return req.text();
      });
      router.post("/admin", (req) => req.text());
      const port = await listen(t, createServer(router));
      const head = `POST ${target} ${expecting}Content-Length: ${length}\r\n\r\n`;
      const answer = await exchange(port, head, { body: "abc" });
      assert.deepEqual(answer.statusCodes, statusCodes);
    });
  }

  /** @type {[how: string, fields: Record<string, string>][]} */
  const framings = [
    ["with a length", {}],
    ["in chunks", { "transfer-encoding": "chunked" }],
  ];
  for (const [how, fields] of framings) {
    it(`lets a guard take its time: too much ${how}`, async (t) => {
      /** @type {unknown[]} */
      const told = [];
      const router = new Router();
      router.use(async (req, res, next) => {
        await new Promise((resolve) => setTimeout(resolve, 50));
        if (req.path === "/no") return res.status(401).text("no");
        return next();
      });
      const ten = { bodyBytes: 10 };
      router.post("/no", ten, () => "never");
      router.post("/text", ten, (req) => req.text());
      router.post("/events", ten, (req, res) => {
        req.on("data", () => {});
        req.on("end", () => res.end("read"));
      });
      const server = createServer(router, {
        onError: (err) => told.push(err),
      });
      const port = await listen(t, server);
      for (const [path, expected] of Object.entries({
        "/no": 401,
        "/text": 413,
        "/events": 413,
      })) {
        for (const length of [11, 30_000]) {
          const body = "a".repeat(length);
          const { statusCode } = await post(port, path, fields, body);
          assert.equal(statusCode, expected, `${path}, ${length} bytes`);
        }
      }
      assert.deepEqual(told, []);
    });
  }

  it("goes on behind a body that a guard hasn't let in", async (t) => {
    const router = new Router();
    router.use("/no", async (_req, res) => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      return res.status(401).text("no");
    });
    router.post("/no", { bodyBytes: 10 }, () => "never");
    router.get("/", () => "next");
    const port = await listen(t, createServer(router));
    const socket = net.connect(port, "127.0.0.1").setEncoding("latin1");
    t.after(() => socket.destroy());
    socket.setTimeout(2_000, () => socket.destroy());
    let received = "";
    socket.on("data", (text) => {
      received += text;
    });
    const body = "a".repeat(30_000);
    socket.write(`POST /no ${HEAD}Content-Length: 30000\r\n\r\n${body}`);
    socket.write(`GET / ${HEAD}Connection: close\r\n\r\n`);
    await once(socket, "close");
    assert.match(received, /^HTTP\/1\.1 401 .*next$/s);
  });

  it("ends the connection behind an answer without a 100", async (t) => {
    const router = new Router().post("/", () => "ignored");
    const port = await listen(t, createServer(router));
    for (const target of ["/", "/nowhere"]) {
      const head = `POST ${target} ${expecting}Content-Length: 3\r\n\r\n`;
      const { ending } = await exchange(port, head);
      assert.equal(ending, "closed");
    }
  });

  it("doesn't know other expectations", async (t) => {
    const port = await listen(t, createServer(new Router()));
    const bytes = `POST / ${HEAD}Expect: a-miracle\r\nContent-Length: 1\r\n\r\n`;
    const { statusCodes } = await exchange(port, bytes);
    assert.deepEqual(statusCodes, [417]);
  });
});

describe("From bytes to text", () => {
  testBodies(velocy, "text");

  it("gathers what comes byte by byte", async () => {
    const text = "a café for 3 €, 😀";
    const bytes = Array.from(Buffer.from(text), (byte) =>
      Buffer.from([byte]),
    );
    const gathered = await gather(stream(bytes), 1000);
    assert.equal(decodeText(gathered), text);
  });

  it("gathers no more than it may", async () => {
    const pieces = () => stream([Buffer.alloc(5), Buffer.alloc(5)]);
    assert.equal((await gather(pieces(), 10)).length, 10);
    await assert.rejects(gather(pieces(), 9), { statusCode: 413 });
  });

  it("is read once", async (t) => {
    /** @type {any[]} */
    const told = [];
    const router = new Router();
    router.post("/twice", async (req) => [
      await req.text(),
      await req.text(),
    ]);
    router.post("/both", (req) => Promise.all([req.bytes(), req.text()]));
    router.post("/events", async (req) => {
      req.resume();
      await once(req, "end");
      return req.text();
    });
    const server = createServer(router, {
      onError: (err) => told.push(err),
    });
    const port = await listen(t, server);
    for (const path of ["/twice", "/both", "/events"]) {
      const { statusCode } = await post(port, path, {}, "abc");
      assert.equal(statusCode, 500, path);
      assert.equal(told.pop()?.code, "ERR_BODY_TAKEN", path);
    }
  });

  it("fails, and nobody is told, if the client leaves", async (t) => {
    /** @type {unknown[]} */
    const told = [];
    /** @type {(err: any) => void} */
    let failed = () => {};
    const failure = new Promise((resolve) => {
      failed = resolve;
    });
    const router = new Router().post("/", async (req) => {
      try {
        return await req.text();
      } catch (err) {
        failed(err);
        throw err;
      }
    });
    router.get("/", () => "still here");
    const server = createServer(router, {
      onError: (err) => told.push(err),
    });
    const port = await listen(t, server);
    const socket = net.connect(port, "127.0.0.1");
    socket.write(`POST / ${HEAD}Content-Length: 10\r\n\r\nabc`);
    await new Promise((resolve) => setTimeout(resolve, 50));
    socket.destroy();
    assert.equal((await failure).code, "ECONNRESET");
    assert.equal((await ask(port, "GET", "/")).body, "still here");
    assert.deepEqual(told, []);
  });
});

describe("What the client says it is", () => {
  testBodies(velocy, "forms");

  /** @type {[field: string, value: string | null, parameters?: [string, string][]][]} */
  const fields = [
    ["text/plain", "text/plain", []],
    ["TEXT/Plain", "text/plain", []],
    ["form-data", "form-data", []],
    ["a/b;c=d", "a/b", [["c", "d"]]],
    [
      "a/b ; C=d\t;\te=F ",
      "a/b",
      [
        ["c", "d"],
        ["e", "F"],
      ],
    ],
    ["a/b;", "a/b", []],
    ["a/b;;c=d;", "a/b", [["c", "d"]]],
    ['a/b; c="d; e=f"', "a/b", [["c", "d; e=f"]]],
    ['a/b; c="\\"\\\\"', "a/b", [["c", '"\\']]],
    ['a/b; c="C:\\d"', "a/b", [["c", "C:\\d"]]],
    ['a/b; c=""', "a/b", [["c", ""]]],
    ["", null],
    [" a/b", null],
    ["a/", "a", undefined],
    ["a/b/c", null],
    ["a/b c/d", null],
    ["a/b, c/d", null],
    ["a/b\tx", null],
    ["a/b; c", null],
    ["a/b; c=", null],
    ["a/b; c =d", null],
    ['a/b; c="d', null],
    ['a/b; c="d"e', null],
    ["a/b; c=d; C=e", null],
  ];
  for (const [field, value, parameters] of fields) {
    if (field === "a/") continue;
    it(`reads ${JSON.stringify(field)}`, () => {
      const read = parseField(field);
      assert.equal(read?.value ?? null, value);
      if (read !== null) assert.deepEqual([...read.parameters], parameters);
    });
  }

  it("reads a long field in little time", () => {
    const spaces = " ".repeat(50_000);
    const start = performance.now();
    parseField(`a/b${spaces}x`);
    parseField(`a/b;${spaces}x`);
    parseField(`a/b; c="${"\\".repeat(50_001)}`);
    parseField(`a/b${";".repeat(50_000)}x`);
    const time = performance.now() - start;
    assert.ok(time < 500, `it took ${time} ms`);
  });

  it("says which type would have been right", async (t) => {
    const router = new Router();
    router.post("/json", (req) => req.json());
    router.post("/form", (req) => req.form());
    router.post("/parts", (req) => req.parts());
    const port = await listen(t, createServer(router));
    for (const [path, accept] of Object.entries({
      "/json": "application/json",
      "/form": "application/x-www-form-urlencoded",
      "/parts": "multipart/form-data",
    })) {
      const fields = { "content-type": "text/plain" };
      const { statusCode, headers } = await post(port, path, fields, "a");
      assert.equal(statusCode, 415);
      assert.equal(headers.accept, accept);
    }
  });

  it("knows types by their end", () => {
    const parameters = requireType("a/b+json; c=d", "a/json", "+json");
    assert.deepEqual([...parameters], [["c", "d"]]);
    assert.throws(() => requireType("a/bjson", "a/json", "+json"), {
      statusCode: 415,
    });
  });
});

describe("What we have", () => {
  it("answers 408 to a body that takes too long", async (t) => {
    const router = new Router().post("/", (req) => req.text());
    const options = {
      requestTimeout: 100,
      connectionsCheckingInterval: 20,
    };
    const port = await listen(t, createServer(router, options));
    const text = `POST / ${HEAD}Content-Length: 8\r\n\r\nbuy`;
    const { statusCodes } = await exchange(port, text);
    assert.deepEqual(statusCodes, [408]);
  });
});

/** @param {Buffer[]} pieces */
async function* stream(pieces) {
  yield* pieces;
}

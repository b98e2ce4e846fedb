/**
 * What a program expects of node:http's server, and of velocy's engine in its
 * place: what listeners hear, and how long things take.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import net from "node:net";
import { it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

/** @import { TestContext } from "node:test" */

const GET = (/** @type {string} */ path) =>
  `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
const POST = "POST / HTTP/1.1\r\nHost: a\r\n";

/**
 * @param {TestContext} t
 * @param {any} velocy
 * @param {(router: any) => void} addRoutes
 */
async function serve(t, { createServer, Router }, addRoutes) {
  const router = new Router();
  addRoutes(router);
  const server = createServer(router).listen(0, "127.0.0.1");
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  await once(server, "listening");
  const client = net.connect(server.address().port, "127.0.0.1");
  t.after(() => client.destroy());
  client.setEncoding("latin1");
  await once(client, "connect");
  return { server, client };
}

const KEPT = ["Connection: keep-alive", "Keep-Alive: timeout=5"];
const CHUNKED = "Transfer-Encoding: chunked";

/** What writeHead is given, and the head without its date. */
const HEADS = /** @type {[string, any[], string[]][]} */ ([
  [
    "the reason that a handler gives beside the fields",
    [200, "Fine", { "content-length": 2 }],
    ["HTTP/1.1 200 Fine", "content-length: 2", ...KEPT],
  ],
  [
    "an empty reason beside the fields",
    [404, "", { "content-length": 2 }],
    ["HTTP/1.1 404 ", "content-length: 2", ...KEPT],
  ],
  [
    "no fields that an object has inherited",
    [
      200,
      Object.assign(Object.create({ "x-a": "1" }), { "content-length": 2 }),
    ],
    ["HTTP/1.1 200 OK", "content-length: 2", ...KEPT],
  ],
  [
    "no second Keep-Alive beside the handler's own",
    [200, { "keep-alive": "timeout=99", "content-length": 2 }],
    [
      "HTTP/1.1 200 OK",
      "keep-alive: timeout=99",
      "content-length: 2",
      "Connection: keep-alive",
    ],
  ],
  [
    "nothing of a Headers object, whose fields are no properties",
    [200, new Headers({ "x-a": "b" })],
    ["HTTP/1.1 200 OK", ...KEPT, CHUNKED],
  ],
  [
    "no fields where null stands for them",
    [200, null],
    ["HTTP/1.1 200 OK", ...KEPT, CHUNKED],
  ],
]);

/** @param {any} velocy */
export function testExpected(velocy) {
  it("tells finish and close to who listens behind end()", async (t) => {
    /** @type {string[]} */
    const heard = [];
    const { client } = await serve(t, velocy, (router) => {
      router.get("/", (/** @type {any} */ _req, /** @type {any} */ res) => {
        res.end("x");
        res.on("finish", () => heard.push("finish"));
        res.on("close", () => heard.push("close"));
      });
    });
    client.write(GET("/"));
    await once(client, "data");
    for (let i = 0; i < 100 && heard.length < 2; i += 1) await sleep(10);
    assert.deepEqual(heard, ["finish", "close"]);
  });

  it("tells finish in the order of the answers, also if they go out together", async (t) => {
    /** @type {string[]} */
    const heard = [];
    const { client } = await serve(t, velocy, (router) => {
      router.get(
        "/:name",
        (/** @type {any} */ req, /** @type {any} */ res) => {
          res.end("x");
          res.on("finish", () => heard.push(req.params.name));
        },
      );
    });
    client.write(["/a", "/b", "/c"].map(GET).join(""));
    for (let i = 0; i < 100 && heard.length < 3; i += 1) await sleep(10);
    assert.deepEqual(heard, ["a", "b", "c"]);
  });

  it("has the server's timeout again after a response without one", async (t) => {
    const withTimeout = {
      ...velocy,
      createServer: (/** @type {any} */ router) => {
        return Object.assign(velocy.createServer(router), { timeout: 300 });
      },
    };
    const { client } = await serve(t, withTimeout, (router) => {
      router.get("/", (/** @type {any} */ _req, /** @type {any} */ res) => {
        res.setTimeout(0);
        return sleep(600, "without");
      });
      router.get("/never", () => new Promise(() => {}));
    });
    client.on("error", () => {});
    client.write(GET("/"));
    assert.match(String((await once(client, "data"))[0]), /without/);
    client.write(GET("/never"));
    client.resume();
    const closed = once(client, "close").then(() => true);
    const isClosed = await Promise.race([closed, sleep(5_000, false)]);
    assert.ok(isClosed, "the connection is still open after 5 s");
  });

  it("has a response's own timeout, and only for that response", async (t) => {
    const { client } = await serve(t, velocy, (router) => {
      router.get("/", (/** @type {any} */ _req, /** @type {any} */ res) => {
        res.setTimeout(150, () => res.end("too late"));
      });
      router.get("/next", () => sleep(500, "next"));
    });
    client.write(GET("/"));
    assert.match(String((await once(client, "data"))[0]), /too late/);
    client.write(GET("/next"));
    assert.match(String((await once(client, "data"))[0]), /next/);
  });

  it("hangs up when nobody listens to a response's timeout", async (t) => {
    const { client } = await serve(t, velocy, (router) => {
      router.get("/", (/** @type {any} */ _req, /** @type {any} */ res) => {
        res.setTimeout(150);
        return new Promise(() => {});
      });
    });
    client.on("error", () => {}).resume();
    client.write(GET("/"));
    const closed = once(client, "close").then(() => true);
    const isClosed = await Promise.race([closed, sleep(5_000, false)]);
    assert.ok(isClosed, "the connection is still open after 5 s");
  });

  it("answers once who sends an empty line behind a body, and leaves", async (t) => {
    const { client } = await serve(t, velocy, (router) => {
      router.post("/", (/** @type {any} */ req) => req.text());
    });
    client.end(`${POST}Content-Length: 1\r\n\r\na\r\n`);
    let text = "";
    for await (const chunk of client) text += chunk;
    assert.deepEqual(text.match(/HTTP\/1\.1 \d+/g), ["HTTP/1.1 200"]);
  });

  it("cuts white space on both sides of a trailer's value", async (t) => {
    const { client } = await serve(t, velocy, (router) => {
      router.post("/", async (/** @type {any} */ req) => {
        await req.bytes();
        return req.trailers;
      });
    });
    const chunks = "1\r\na\r\n0\r\nT: \t b c \t\r\n\r\n";
    client.write(`${POST}Transfer-Encoding: chunked\r\n\r\n${chunks}`);
    const [text] = await once(client, "data");
    assert.match(String(text), /\{"t":"b c"\}/);
  });

  for (const [what, given, expected] of HEADS) {
    it(`sends ${what}`, async (t) => {
      const { client } = await serve(t, velocy, (router) => {
        router.get(
          "/",
          (/** @type {any} */ _req, /** @type {any} */ res) => {
            res.writeHead(...given);
            res.end("ok");
          },
        );
      });
      client.write(GET("/"));
      const [head] = String((await once(client, "data"))[0]).split(
        "\r\n\r\n",
      );
      const lines = head
        .split("\r\n")
        .filter((line) => !/^date/i.test(line));
      assert.deepEqual(lines, expected);
    });
  }

  for (const [when, delay] of /** @type {const} */ ([
    ["before its answer", 0],
    ["at once after its answer", 1],
    ["long after its answer", 2],
  ])) {
    it(`tells end and close of a request that nobody reads to who listens ${when}`, async (t) => {
      /** @type {string[]} */
      const heard = [];
      const { client } = await serve(t, velocy, (router) => {
        router.get(
          "/",
          async (/** @type {any} */ req, /** @type {any} */ res) => {
            const listen = () => {
              req.on("end", () => heard.push("end"));
              req.on("close", () => heard.push("close"));
            };
            if (delay === 0) listen();
            res.end("ok");
            if (delay === 1) listen();
            if (delay === 2) {
              await sleep(50);
              heard.push(...(req.readableEnded ? ["end"] : []));
              heard.push(...(req.closed ? ["close"] : []));
              if (heard.length === 0) listen();
            }
          },
        );
      });
      client.write(GET("/"));
      await once(client, "data");
      for (let i = 0; i < 100 && heard.length < 2; i += 1) await sleep(10);
      assert.deepEqual(heard, ["end", "close"]);
    });
  }

  it("refuses times and sizes that are no whole numbers", () => {
    const { createServer, Router } = velocy;
    for (const options of [
      { headersTimeout: "60s" },
      { requestTimeout: "1" },
      { keepAliveTimeout: -5 },
      { maxHeaderSize: "16kb" },
      { connectionsCheckingInterval: "1s" },
    ]) {
      assert.throws(
        () => createServer(new Router(), options),
        /ERR_|whole number/,
        JSON.stringify(options),
      );
    }
  });

  it("takes a size of 0 for the usual one", async (t) => {
    const withSize = {
      ...velocy,
      createServer: (/** @type {any} */ router) =>
        velocy.createServer(router, { maxHeaderSize: 0 }),
    };
    const { client } = await serve(t, withSize, (router) => {
      router.get("/", () => "hello");
    });
    client.write(GET("/"));
    const [text] = await once(client, "data");
    assert.match(String(text), /200 OK/);
  });
}

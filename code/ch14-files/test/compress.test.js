import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import net from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import zlib from "node:zlib";
import { testNotModified } from "../../contracts/files/not-modified.js";
import { listen, portOf } from "../../contracts/router/ask.js";
import {
  compress,
  createServer,
  etag,
  files,
  HttpError,
  Router,
} from "../index.js";
import { CODINGS } from "../lib/response/coders.js";
import { preferredCoding } from "../lib/response/coding.js";

/** @import { TestContext } from "node:test" */

const LONG = "All work and no play makes Jack a dull boy.\n".repeat(100);

/** @type {Record<string, (bytes: Buffer) => Buffer>} */
const DECODERS = {
  zstd: (bytes) => zlib.zstdDecompressSync(bytes),
  br: (bytes) => zlib.brotliDecompressSync(bytes),
  gzip: (bytes) => zlib.gunzipSync(bytes),
};

/**
 * @param {TestContext} t
 * @param {(router: Router) => void} addRoutes
 * @param {object} [options]
 */
async function serve(t, addRoutes, options) {
  const router = new Router();
  router.use(compress(options));
  addRoutes(router);
  /** @type {any[]} */
  const errors = [];
  const onError = (/** @type {unknown} */ err) => errors.push(err);
  return {
    port: await listen(t, createServer(router, { onError })),
    errors,
  };
}

/**
 * @param {number} port
 * @param {string} path
 * @param {Record<string, string>} [headers]
 * @param {string} [method]
 * @returns {Promise<{ statusCode?: number, headers: http.IncomingHttpHeaders, bytes: Buffer }>}
 */
function askBytes(port, path, headers = {}, method = "GET") {
  return new Promise((resolve, reject) => {
    const options = { port, path, headers, method, agent: false };
    const req = http.request(options, async (res) => {
      try {
        const chunks = [];
        for await (const chunk of res) chunks.push(chunk);
        const { statusCode, headers } = res;
        resolve({ statusCode, headers, bytes: Buffer.concat(chunks) });
      } catch (err) {
        reject(err);
      }
    });
    req.on("error", reject).end();
  });
}

/** @type {[string, (req: any, res: any) => any][]} */
const WAYS = [
  ["a returned string", () => LONG],
  [
    "a returned object",
    (_req, res) => {
      res.setHeader("content-type", "text/plain");
      return Buffer.from(LONG);
    },
  ],
  ["a promise", async () => LONG],
  ["res.text", (_req, res) => res.text(LONG)],
  [
    "end",
    (_req, res) => {
      res.setHeader("content-type", "text/plain");
      res.end(LONG);
    },
  ],
  [
    "writeHead and end",
    (_req, res) => {
      res.writeHead(200, { "Content-Type": "text/plain" }).end(LONG);
    },
  ],
  [
    "writeHead with a length",
    (_req, res) => {
      const fields = {
        "content-type": "text/plain",
        "content-length": LONG.length,
      };
      res.writeHead(200, "Fine", fields).end(LONG);
    },
  ],
  [
    "writes",
    (_req, res) => {
      res.setHeader("content-type", "text/plain");
      for (const line of LONG.split(/(?<=\n)/)) res.write(line);
      res.end();
    },
  ],
  [
    "a generator",
    async function* lines(_req, res) {
      res.setHeader("content-type", "text/plain");
      for (const line of LONG.split(/(?<=\n)/)) yield line;
    },
  ],
];

describe("Smaller, made on the way", () => {
  for (const [what, handler] of WAYS) {
    for (const coding of CODINGS) {
      it(`compresses ${what} with ${coding}`, async (t) => {
        const { port, errors } = await serve(t, (router) =>
          router.get("/", handler),
        );
        const answer = await askBytes(port, "/", {
          "accept-encoding": coding,
        });
        assert.equal(answer.statusCode, 200);
        assert.equal(answer.headers["content-encoding"], coding);
        assert.equal(answer.headers["content-length"], undefined);
        assert.equal(answer.headers.vary, "accept-encoding");
        assert.ok(
          answer.bytes.length < 400,
          `${answer.bytes.length} bytes`,
        );
        assert.equal(String(DECODERS[coding](answer.bytes)), LONG);
        assert.deepEqual(errors, []);
      });
    }

    it(`leaves ${what} to whoever wants it as it is`, async (t) => {
      const { port } = await serve(t, (router) => router.get("/", handler));
      for (const headers of [{}, { "accept-encoding": "gzip;q=0" }]) {
        const answer = await askBytes(port, "/", headers);
        assert.equal(answer.headers["content-encoding"], undefined);
        assert.equal(answer.headers.vary, "accept-encoding");
        assert.equal(String(answer.bytes), LONG);
      }
    });
  }

  /** @type {[string, (req: any, res: any) => any][]} */
  const untouched = [
    ["short", () => "short"],
    [
      "a picture",
      (_req, res) => {
        res.setHeader("content-type", "image/png");
        return LONG;
      },
    ],
    [
      "compressed already",
      (_req, res) => {
        res.setHeader("content-encoding", "rot13");
        return LONG;
      },
    ],
    [
      "a part",
      (_req, res) => {
        res.status(206).setHeader("content-range", "bytes 0-3/4");
        return LONG;
      },
    ],
    [
      "not to be transformed",
      (_req, res) => {
        res.setHeader("cache-control", "private, no-transform");
        return LONG;
      },
    ],
    [
      "not to be transformed, in capitals",
      (_req, res) => {
        res.setHeader("cache-control", "private, No-Transform");
        return LONG;
      },
    ],
    ["nothing", (_req, res) => res.writeHead(204).end()],
  ];
  for (const [what, handler] of untouched) {
    it(`leaves what is ${what} as it is`, async (t) => {
      const { port } = await serve(t, (router) => router.get("/", handler));
      const answer = await askBytes(port, "/", { "accept-encoding": "br" });
      assert.notEqual(answer.headers["content-encoding"], "br");
      assert.match(String(answer.bytes), /^(?:short|All work.*|)$/m);
    });
  }

  it("answers HEAD with the fields of GET, but for a length", async (t) => {
    const { port } = await serve(t, (router) =>
      router.get("/", () => LONG),
    );
    const headers = { "accept-encoding": "br" };
    const answer = await askBytes(port, "/", headers, "HEAD");
    assert.equal(answer.headers["content-encoding"], "br");
    assert.equal(answer.headers["content-length"], undefined);
    assert.equal(answer.bytes.length, 0);
  });

  it("compresses what is shorter if it is told to", async (t) => {
    const { port } = await serve(
      t,
      (router) => router.get("/", () => "short"),
      {
        minBytes: 0,
      },
    );
    const headers = { "accept-encoding": "gzip" };
    const { bytes } = await askBytes(port, "/", headers);
    assert.equal(String(zlib.gunzipSync(bytes)), "short");
  });

  it("refuses options that nobody would read", () => {
    assert.throws(() => compress(/** @type {any} */ ({ leastByte: 1 })), {
      code: "ERR_OPTION_UNKNOWN",
    });
    assert.throws(() => compress(/** @type {any} */ (null)), {
      code: "ERR_OPTIONS_INVALID",
    });
    for (const minBytes of ["1k", Number.NaN, -1, 1.5]) {
      const options = /** @type {any} */ ({ minBytes });
      assert.throws(() => compress(options), {
        code: "ERR_OPTION_INVALID",
      });
    }
  });
});

describe("Smaller, made beforehand", () => {
  for (const [
    field,
    expected,
  ] of /** @type {[string | undefined, string][]} */ ([
    [undefined, "identity"],
    ["", "identity"],
    ["gzip", "gzip"],
    ["gzip, br", "br"],
    ["br;q=0.001", "br"],
    ["gzip;q=0.8, br;q=0.2", "gzip"],
    ["*", "br"],
    ["*;q=0, gzip", "gzip"],
    ["identity, gzip;q=0.9", "identity"],
    ["identity, gzip", "gzip"],
    ["identity;q=0", "identity"],
    ["GZIP", "gzip"],
    ["gzip;q=2", "identity"],
    ["gzip ; q=0.5 , deflate", "gzip"],
  ])) {
    it(`picks ${expected} for ${field === undefined ? "no field" : `"${field}"`}`, () => {
      assert.equal(preferredCoding(field, ["br", "gzip"]), expected);
    });
  }
});

describe("In pieces", () => {
  it("sends what is written when there is a pause", {
    timeout: 20_000,
  }, async (t) => {
    const { port } = await serve(t, (router) => {
      router.get("/", async function* ticks(_req, res) {
        res.setHeader("content-type", "text/plain");
        yield "tick\n";
        await sleep(60_000, undefined, { ref: false });
      });
    });
    for (const coding of CODINGS.filter((name) => name !== "zstd")) {
      const headers = { "accept-encoding": coding };
      const req = http.get({ port, headers, agent: false });
      const [res] = await once(req, "response");
      const decoder =
        coding === "br"
          ? zlib.createBrotliDecompress()
          : zlib.createGunzip();
      const [chunk] = await once(res.pipe(decoder), "data");
      assert.equal(String(chunk), "tick\n");
      req.destroy();
    }
  });

  it("doesn't flush after each of many small writes", async (t) => {
    const { port } = await serve(t, (router) =>
      router.get("/", WAYS[7][1]),
    );
    const { bytes } = await askBytes(port, "/", {
      "accept-encoding": "gzip",
    });
    assert.ok(bytes.length < 200, `${bytes.length} bytes`);
  });

  it("cuts what fails half way, and answers 500 to what fails before", async (t) => {
    const { port, errors } = await serve(t, (router) => {
      router.get("/late", async function* late(_req, res) {
        res.setHeader("content-type", "text/plain");
        yield LONG;
        throw new Error("late");
      });
      router.get("/early", async function* early(_req, res) {
        res.setHeader("content-type", "text/plain");
        if (res.statusCode === 200) throw new Error("early");
        yield LONG;
      });
      router.get("/refuses", () => {
        throw new HttpError(409, LONG);
      });
    });
    const headers = { "accept-encoding": "br" };
    await assert.rejects(askBytes(port, "/late", headers), {
      code: "ECONNRESET",
    });
    assert.equal((await askBytes(port, "/early", headers)).statusCode, 500);
    const { statusCode, bytes } = await askBytes(port, "/refuses", headers);
    assert.equal(statusCode, 409);
    assert.equal(String(zlib.brotliDecompressSync(bytes)), `${LONG}\n`);
    assert.deepEqual(
      errors.map(({ message }) => message),
      ["late", "early"],
    );
  });

  it("answers for a head that is refused, and goes on", async (t) => {
    const { port, errors } = await serve(t, (router) => {
      router.get("/status", (_req, res) => {
        res.statusCode = 600;
        return LONG;
      });
      router.get("/reason", (_req, res) => {
        res.setHeader("content-type", "text/plain");
        res.writeHead(200, "a\nb").end(LONG);
      });
      router.get("/begun", (_req, res) => {
        res.setHeader("content-type", "text/plain");
        res.statusCode = 600;
        res.end(LONG);
      });
      router.get("/well", () => LONG);
    });
    for (const coding of CODINGS) {
      const headers = { "accept-encoding": coding };
      for (const path of ["/status", "/reason", "/begun"]) {
        const answer = await askBytes(port, path, headers);
        assert.equal(answer.statusCode, 500, path);
        assert.equal(answer.headers["content-encoding"], undefined);
        assert.equal(String(answer.bytes), "Internal Server Error\n");
      }
      const { bytes } = await askBytes(port, "/well", headers);
      assert.equal(String(DECODERS[coding](bytes)), LONG);
    }
    assert.equal(errors.length, 3 * CODINGS.length);
  });

  it("calls back when all is sent, also where it compresses", async (t) => {
    for (const coding of ["identity", ...CODINGS]) {
      /** @type {Promise<boolean> | undefined} */
      let isFinished;
      const { port } = await serve(t, (router) =>
        router.get("/", (_req, res) => {
          res.setHeader("content-type", "text/plain");
          isFinished = new Promise((resolve) => {
            res.end(LONG, () => resolve(res.writableFinished));
          });
        }),
      );
      await askBytes(port, "/", { "accept-encoding": coding });
      assert.equal(await isFinished, true, coding);
    }
  });

  it("flushes without forgetting what was sent", async (t) => {
    const { port } = await serve(t, (router) => {
      router.get("/", async function* lines(_req, res) {
        res.setHeader("content-type", "text/plain");
        for (const line of LONG.split(/(?<=\n)/)) {
          yield line;
          await sleep(2);
        }
      });
    });
    for (const coding of CODINGS) {
      const headers = { "accept-encoding": coding };
      const { bytes } = await askBytes(port, "/", headers);
      assert.equal(String(DECODERS[coding](bytes)), LONG);
      const most = LONG.length / 2;
      assert.ok(bytes.length < most, `${coding}: ${bytes.length} bytes`);
    }
  });

  // What a handler does when it has ended: the error's code, if it is one.
  for (const [what, code, again] of /** @type {const} */ ([
    ["a second end", null, (/** @type {any} */ res) => res.end()],
    [
      "a second end with more",
      "ERR_STREAM_WRITE_AFTER_END",
      (/** @type {any} */ res) => res.end("more"),
    ],
    [
      "a write behind the end",
      "ERR_STREAM_WRITE_AFTER_END",
      (/** @type {any} */ res) => res.write("more"),
    ],
  ])) {
    for (const coding of ["identity", ...CODINGS]) {
      it(`sends all, in spite of ${what} (${coding})`, async (t) => {
        const { port, errors } = await serve(t, (router) => {
          router.get("/", (_req, res) => {
            res.setHeader("content-type", "text/plain");
            res.end(LONG);
            assert.equal(res.writableEnded, true);
            again(res);
          });
        });
        const headers = { "accept-encoding": coding };
        const { bytes } = await askBytes(port, "/", headers);
        const text = DECODERS[coding]?.(bytes) ?? bytes;
        assert.equal(String(text), LONG);
        assert.deepEqual(
          errors.map((err) => err.code),
          code === null ? [] : [code],
        );
      });
    }
  }
});

describe("Two buffers", () => {
  it("sends a large file to its end", { timeout: 20_000 }, async (t) => {
    const root = mkdtempSync(join(tmpdir(), "files-"));
    t.after(() => rmSync(root, { recursive: true }));
    writeFileSync(join(root, "a.txt"), LONG.repeat(2000));
    const { port } = await serve(t, (router) =>
      router.get("/*", files(root)),
    );
    const headers = { "accept-encoding": "br" };
    const { bytes } = await askBytes(port, "/a.txt", headers);
    const text = String(zlib.brotliDecompressSync(bytes));
    assert.ok(text === LONG.repeat(2000), `${text.length} characters`);
  });

  it("says by writableNeedDrain that its buffer is full", async (t) => {
    let given = 0;
    const { port } = await serve(t, (router) => {
      router.get("/", async (_req, res) => {
        res.setHeader("content-type", "text/plain");
        for (; given < 16_000; given += 1) {
          if (res.writableNeedDrain) await once(res, "drain");
          res.write(randomBytes(4096));
          if (given % 50 === 0) await new Promise(setImmediate);
        }
        res.end();
      });
    });
    const socket = net.connect(port, "127.0.0.1");
    socket.write(
      "GET / HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\n\r\n",
    );
    await once(socket, "readable");
    let last = -1;
    for (let i = 0; i < 40 && last !== given; i += 1) {
      last = given;
      await sleep(250);
    }
    assert.ok(given < 8000, `${given} chunks of 4 KiB`);
    for (let i = 0; i < 100 && given === last; i += 1) {
      socket.read();
      await sleep(20);
    }
    assert.ok(given > last, "it never goes on");
    socket.destroy();
  });

  it("asks no handler for more than a slow client takes", async (t) => {
    let given = 0;
    let isLeft = false;
    const { port } = await serve(t, (router) => {
      router.get("/", async function* noise(_req, res) {
        res.setHeader("content-type", "text/plain");
        try {
          for (;;) {
            given += 1;
            yield randomBytes(64 * 1024);
          }
        } finally {
          isLeft = true;
        }
      });
    });
    const socket = net.connect(port, "127.0.0.1");
    socket.write(
      "GET / HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\n\r\n",
    );
    await once(socket, "readable");
    let last = -1;
    for (let i = 0; i < 40 && last !== given; i += 1) {
      last = given;
      await sleep(250);
    }
    assert.equal(given, last, "it never stops");
    assert.ok(given < 400, `${given} chunks of 64 KiB`);
    // Takes a little, and then it goes on: the reader isn't forgotten.
    for (let i = 0; i < 100 && given === last; i += 1) {
      socket.read();
      await sleep(20);
    }
    assert.ok(given > last, "it never goes on");
    socket.destroy();
    for (let i = 0; i < 100 && !isLeft; i += 1) await sleep(20);
    assert.ok(isLeft, "the generator was never left");
  });
});

/** A program with tags of all kinds behind compress(). */
async function startTagged() {
  const root = mkdtempSync(join(tmpdir(), "files-"));
  for (const [name, content] of Object.entries({
    "long.txt": LONG,
    "short.txt": "short\n",
    "long.png": LONG,
    "long.unknown": LONG,
    "sibling.txt": LONG,
    "sibling.txt.br": zlib.brotliCompressSync(LONG),
    "large.txt": LONG.repeat(400),
  })) {
    writeFileSync(join(root, name), content);
  }
  const router = new Router();
  router.use(compress());
  router.get("/*", files(root, { precompressed: true }));
  router.get("/values/long", etag(), () => LONG);
  router.get("/values/short", etag(), () => ({ short: true }));
  router.get("/values/bytes", etag(), () => Buffer.from(LONG));
  router.get("/values/own", (_req, res) => {
    res.setHeader("etag", '"own"');
    res.json(LONG);
  });
  const server = createServer(router);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = () => {
    server.close();
    rmSync(root, { recursive: true });
  };
  return { port: portOf(server), close };
}

describe("A tag that promises too much", () => {
  it("weakens a tag, which a client may show again", async (t) => {
    const root = mkdtempSync(join(tmpdir(), "files-"));
    t.after(() => rmSync(root, { recursive: true }));
    writeFileSync(join(root, "a.txt"), LONG);
    const { port } = await serve(t, (router) =>
      router.get("/*", files(root)),
    );
    const accepts = { "accept-encoding": "br" };
    const plain = (await askBytes(port, "/a.txt")).headers.etag ?? "";
    const { etag = "" } = (await askBytes(port, "/a.txt", accepts)).headers;
    assert.equal(etag, `W/${plain}`);
    const again = { ...accepts, "if-none-match": etag };
    const notModified = await askBytes(port, "/a.txt", again);
    assert.equal(notModified.statusCode, 304);
    assert.equal(notModified.headers.etag, etag);
    assert.equal(notModified.headers.vary, "accept-encoding");
    // Whoever has this one can't continue the download of the other.
    const rest = { range: "bytes=10-", "if-range": etag };
    assert.equal((await askBytes(port, "/a.txt", rest)).statusCode, 200);
    const part = { ...accepts, range: "bytes=0-3" };
    const partial = await askBytes(port, "/a.txt", part);
    assert.equal(String(partial.bytes), "All ");
    assert.equal(partial.headers.vary, "accept-encoding");
    assert.equal(partial.headers.etag, plain);
  });

  testNotModified(startTagged, [
    ["/long.txt", {}],
    ["/short.txt", {}],
    ["/long.png", {}],
    ["/long.unknown", {}],
    ["/sibling.txt", {}],
    ["/large.txt", {}],
    ["/values/long", {}],
    ["/values/short", {}],
    ["/values/bytes", {}],
    ["/values/own", {}],
  ]);
});

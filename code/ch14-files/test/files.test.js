import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import net from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { testFiles } from "../../contracts/files/index.js";
import { startProgram } from "../../contracts/http/index.js";
import { ask, listen, portOf } from "../../contracts/router/ask.js";
import { createServer, files, Router } from "../index.js";
import { Folder } from "../lib/files/folder.js";
import { Kept } from "../lib/files/kept.js";
import { readPart, readWhole } from "../lib/files/read.js";

/** @import { TestContext } from "node:test" */

const MEGABYTE = 1024 * 1024;

/** @param {string} root */
async function startFiles(root) {
  const router = new Router();
  router.all("/static/*", files(root, { precompressed: true }));
  const server = createServer(router);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { port: portOf(server), close: () => server.close() };
}

/**
 * @param {TestContext} t
 * @param {Record<string, string | Uint8Array>} contents
 */
function makeFolder(t, contents) {
  const root = mkdtempSync(join(tmpdir(), "files-"));
  t.after(() => rmSync(root, { recursive: true }));
  for (const [name, content] of Object.entries(contents)) {
    writeFileSync(join(root, name), content);
  }
  return root;
}

/**
 * @param {TestContext} t
 * @param {string} root
 * @param {object} [options]
 */
async function serve(t, root, options) {
  const router = new Router().get("/*", files(root, options));
  /** @type {any[]} */
  const errors = [];
  const onError = (/** @type {unknown} */ err) => errors.push(err);
  return {
    port: await listen(t, createServer(router, { onError })),
    errors,
  };
}

/** Says how often a file has been opened. @param {TestContext} t */
async function countOpens(t) {
  const promises = (await import("node:fs/promises")).default;
  const { syncBuiltinESMExports } = await import("node:module");
  const { open } = promises;
  let opened = 0;
  promises.open = (...args) => {
    opened += 1;
    return open(...args);
  };
  syncBuiltinESMExports();
  t.after(() => {
    promises.open = open;
    syncBuiltinESMExports();
  });
  return () => opened;
}

const countOpen = () => readdirSync("/dev/fd").length;

/** @param {() => boolean} isTrue */
async function waitUntil(isTrue) {
  for (let i = 0; i < 200 && !isTrue(); i += 1) await sleep(25);
}

/** Asks, waits for the first bytes, and leaves. @param {number} port */
async function abort(port) {
  const socket = net.connect(port, "127.0.0.1");
  socket.write("GET /large.bin HTTP/1.1\r\nHost: x\r\n\r\n");
  await once(socket, "data");
  socket.destroy();
}

/**
 * Asks, and reads nothing until `meanwhile` is done.
 *
 * @param {number} port
 * @param {() => unknown} meanwhile
 * @returns {Promise<Buffer>} all that came
 */
async function askSlowly(port, meanwhile) {
  const socket = net.connect(port, "127.0.0.1");
  socket.write(
    "GET /large.bin HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
  );
  await once(socket, "readable");
  await meanwhile();
  const chunks = [];
  for await (const chunk of socket) chunks.push(chunk);
  return Buffer.concat(chunks);
}

describe("Files", () => {
  /** @type {Awaited<ReturnType<ReturnType<typeof startProgram>>>} */
  let program;
  before(async () => {
    program = await startProgram(new URL("..", import.meta.url))({
      limits: {},
    });
  });
  after(() => program?.close());

  for (const [path, expected] of /** @type {[string, number][]} */ ([
    ["/static/hello.txt", 200],
    ["/static/.env", 404],
    ["/static/nothing.txt", 404],
    ["/static/docs", 301],
    ["/static/docs/", 200],
    ["/static/..%2Fpackage.json", 400],
    ["/download?name=hello.txt", 303],
    ["/download?name=../package.json", 303],
  ])) {
    it(`answers ${path} with ${expected}`, async () => {
      const answer = await ask(program.port, "GET", path);
      assert.equal(answer.statusCode, expected);
      assert.doesNotMatch(answer.body, /swordfish|velocy/);
    });
  }

  it("sends whoever wants to leave the folder nowhere", async () => {
    for (const name of [
      "../package.json",
      "%2e%2e/package.json",
      "/etc/passwd",
    ]) {
      const path = `/download?name=${encodeURIComponent(name)}`;
      const { headers } = await ask(program.port, "GET", path);
      const answer = await ask(program.port, "GET", headers.location ?? "");
      assert.match(String(answer.statusCode), /^40[04]$/, name);
    }
  });
});

describe("Which names are files", () => {
  testFiles(startFiles, ["a name is decoded once", "no name leads out"]);
});

describe("Where a name leads", () => {
  testFiles(startFiles, [
    "no link leads out",
    "what is no file isn't sent, and what is hidden stays hidden",
  ]);

  it("follows a link to a hidden file where hidden files are sent", async (t) => {
    const root = makeFolder(t, { ".env": "SECRET=1" });
    symlinkSync(".env", join(root, "notes.txt"));
    const { port } = await serve(t, root, { dotfiles: true });
    assert.equal((await ask(port, "GET", "/notes.txt")).body, "SECRET=1");
  });

  it("sends the files of a folder whose own name begins with a dot", async (t) => {
    const root = join(makeFolder(t, {}), ".public");
    mkdirSync(root);
    writeFileSync(join(root, "a.txt"), "a");
    const { port } = await serve(t, root);
    assert.equal((await ask(port, "GET", "/a.txt")).body, "a");
  });

  it("says which folder is missing", () => {
    assert.throws(() => files("/no/such/folder"), {
      code: "ERR_FOLDER_MISSING",
      message: 'files can\'t be sent from "/no/such/folder": ENOENT',
    });
  });

  it("answers 404 to what the server has no right to read", async (t) => {
    const root = makeFolder(t, {
      "closed.txt": "closed",
      "large.bin": Buffer.alloc(2 * MEGABYTE),
      "open.txt": "open",
    });
    mkdirSync(join(root, "closed"));
    writeFileSync(join(root, "closed", "a.txt"), "a");
    chmodSync(root, 0o755);
    const { port, errors } = await serve(t, root);
    for (const name of ["closed.txt", "large.bin", "closed"]) {
      chmodSync(join(root, name), 0);
    }
    // Root may read all.
    const isRoot = process.getuid?.() === 0;
    if (isRoot) process.seteuid?.(65_534);
    try {
      assert.equal((await ask(port, "GET", "/open.txt")).body, "open");
      for (const path of ["/closed.txt", "/large.bin", "/closed/a.txt"]) {
        const { statusCode, body } = await ask(port, "GET", path);
        assert.equal(statusCode, 404, path);
        assert.equal(body, "Not Found\n");
      }
    } finally {
      if (isRoot) process.seteuid?.(0);
      chmodSync(join(root, "closed"), 0o700);
    }
    assert.deepEqual(errors, []);
  });

  it("takes no file for a folder", () => {
    assert.throws(() => files(import.meta.filename), {
      code: "ERR_FOLDER_MISSING",
      message: /: ENOTDIR$/,
    });
  });
});

describe("Chunks on demand", () => {
  it("reads a part, to the byte", async (t) => {
    const content = Buffer.from(
      Uint8Array.from({ length: 700_000 }, (_, i) => i % 251),
    );
    const path = join(makeFolder(t, { "a.bin": content }), "a.bin");
    for (const [start, end] of [
      [0, 700_000],
      [0, 1],
      [699_999, 700_000],
      [262_143, 524_289],
      [5, 5],
    ]) {
      const chunks = [];
      for await (const chunk of readPart(
        path,
        statSync(path),
        start,
        end,
      )) {
        chunks.push(chunk);
      }
      const isEqual = Buffer.concat(chunks).equals(
        content.subarray(start, end),
      );
      assert.ok(isEqual, `from ${start} to ${end}`);
    }
  });

  it("opens nothing for a reader who never begins", async (t) => {
    const path = join(makeFolder(t, { "a.txt": "a" }), "a.txt");
    const before = countOpen();
    const part = readPart(path, statSync(path), 0, 1);
    await part.return(undefined);
    assert.equal(countOpen(), before);
  });

  it("doesn't take another file for the one that is meant", async (t) => {
    const root = makeFolder(t, { "a.txt": "old", "b.txt": "new" });
    const [a, b] = [join(root, "a.txt"), join(root, "b.txt")];
    const stats = statSync(a);
    utimesSync(b, stats.atime, stats.mtime);
    renameSync(b, a);
    await assert.rejects(readPart(a, stats, 0, 3).next(), {
      statusCode: 503,
    });
  });

  it("answers 404 to what goes away before it is opened", async (t) => {
    const path = join(makeFolder(t, { "a.txt": "a" }), "a.txt");
    const stats = statSync(path);
    rmSync(path);
    await assert.rejects(readPart(path, stats, 0, 1).next(), {
      statusCode: 404,
    });
  });

  it("leaves nothing open after aborted downloads", async (t) => {
    const root = makeFolder(t, {
      "large.bin": Buffer.alloc(20 * MEGABYTE),
    });
    const { port, errors } = await serve(t, root);
    await abort(port);
    const before = countOpen();
    let left = 10_000;
    const abortAll = async () => {
      for (; left > 0; left -= 1) await abort(port);
    };
    await Promise.all(Array.from({ length: 8 }, abortAll));
    await waitUntil(() => countOpen() <= before);
    assert.ok(countOpen() <= before + 1, `${countOpen() - before} more`);
    assert.deepEqual(errors, []);
  });

  for (const [
    what,
    change,
  ] of /** @type {[string, (path: string) => void][]} */ ([
    ["becomes shorter", (path) => truncateSync(path, 5 * MEGABYTE)],
    ["is emptied", (path) => truncateSync(path, 0)],
    [
      "is written anew",
      (path) => writeFileSync(path, Buffer.alloc(20 * MEGABYTE, 2)),
    ],
  ])) {
    it(`never ends a download of a file that ${what}`, async (t) => {
      const root = makeFolder(t, {
        "large.bin": Buffer.alloc(20 * MEGABYTE, 1),
      });
      const { port, errors } = await serve(t, root);
      const bytes = await askSlowly(port, () =>
        change(join(root, "large.bin")),
      );
      assert.match(
        bytes.toString("latin1", 0, 300),
        /content-length: 20971520/i,
      );
      assert.ok(bytes.length < 20 * MEGABYTE, `${bytes.length} bytes came`);
      assert.equal(errors[0]?.statusCode, 503);
    });
  }

  it("sends to its end what was replaced by another file", async (t) => {
    const root = makeFolder(t, {
      "large.bin": Buffer.alloc(20 * MEGABYTE, 1),
      "next.bin": Buffer.alloc(5, 2),
    });
    const { port } = await serve(t, root);
    const bytes = await askSlowly(port, () => {
      renameSync(join(root, "next.bin"), join(root, "large.bin"));
    });
    assert.ok(bytes.length > 20 * MEGABYTE, `${bytes.length} bytes came`);
    assert.equal(bytes.includes(2, bytes.indexOf("\r\n\r\n")), false);
  });

  it("takes little memory for a large file and a slow client", async (t) => {
    const root = makeFolder(t, {
      "large.bin": Buffer.alloc(200 * MEGABYTE),
    });
    const { port } = await serve(t, root);
    const before = process.memoryUsage().arrayBuffers;
    await askSlowly(port, async () => {
      await sleep(300);
      const more = process.memoryUsage().arrayBuffers - before;
      assert.ok(more < 20 * MEGABYTE, `${more} bytes more`);
    });
  });
});

describe("A handler with options", () => {
  it("sends hidden files to whoever is to have them", async (t) => {
    const root = makeFolder(t, { ".well-known": "here\n" });
    const { port } = await serve(t, root, { dotfiles: true });
    assert.equal((await ask(port, "GET", "/.well-known")).body, "here\n");
    assert.equal(
      (await ask(port, "GET", "/..%2F.well-known")).statusCode,
      400,
    );
  });

  it("needs a route that ends in a wildcard", async (t) => {
    const root = makeFolder(t, { a: "a" });
    /** @type {any[]} */
    const errors = [];
    const router = new Router().get("/:name", files(root));
    const onError = (/** @type {unknown} */ err) => errors.push(err);
    const port = await listen(t, createServer(router, { onError }));
    assert.equal((await ask(port, "GET", "/a")).statusCode, 500);
    assert.equal(errors[0].code, "ERR_WILDCARD_MISSING");
  });

  it("needs a route", async (t) => {
    /** @type {any[]} */
    const errors = [];
    const router = new Router().notFound(files(makeFolder(t, {})));
    const onError = (/** @type {unknown} */ err) => errors.push(err);
    const port = await listen(t, createServer(router, { onError }));
    assert.equal((await ask(port, "GET", "/a")).statusCode, 500);
    assert.equal(errors[0].code, "ERR_WILDCARD_MISSING");
    assert.match(errors[0].message, /and notFound doesn't$/);
  });

  it("takes an option that is undefined for one that isn't given", async (t) => {
    const root = makeFolder(t, { a: "a" });
    const { port } = await serve(t, root, { maxAge: undefined });
    const { headers } = await ask(port, "GET", "/a");
    assert.equal(headers["cache-control"], "max-age=0");
  });

  it("refuses options that nobody would read", () => {
    for (const [options, code] of /** @type {[any, string][]} */ ([
      [null, "ERR_OPTIONS_INVALID"],
      [true, "ERR_OPTIONS_INVALID"],
      [{ dotfile: true }, "ERR_OPTION_UNKNOWN"],
      [{ maxAge: "1d" }, "ERR_OPTION_INVALID"],
      [{ index: false }, "ERR_OPTION_INVALID"],
      ...[Number.NaN, -5, 1.5, Infinity, 1e21].map((maxAge) => [
        { maxAge },
        "ERR_OPTION_INVALID",
      ]),
      ...[Number.NaN, -1, 1.5].map((keepBytes) => [
        { keepBytes },
        "ERR_OPTION_INVALID",
      ]),
    ])) {
      assert.throws(() => files(tmpdir(), options), { code });
    }
  });
});

describe("What it is", () => {
  testFiles(startFiles, ["a file is sent with what it is"]);
});

describe("Has it changed?", () => {
  testFiles(startFiles, ["preconditions come before the range"]);

  it("tells changes within one second apart", async (t) => {
    const root = makeFolder(t, { "a.txt": "1" });
    const { port } = await serve(t, root);
    const tags = new Set();
    for (let i = 0; i < 5; i += 1) {
      const time = 1_770_000_000 + i / 1000;
      utimesSync(join(root, "a.txt"), time, time);
      tags.add((await ask(port, "GET", "/a.txt")).headers.etag);
    }
    assert.equal(tags.size, 5);
  });

  it("says how long a file may be kept", async (t) => {
    const root = makeFolder(t, { "a.txt": "a" });
    const { port } = await serve(t, root, { maxAge: 60 });
    const { headers } = await ask(port, "GET", "/a.txt");
    assert.equal(headers["cache-control"], "max-age=60");
  });

  it("leaves a Cache-Control that somebody has set", async (t) => {
    const root = makeFolder(t, { "a.txt": "a" });
    const router = new Router();
    router.use((_req, res, next) => {
      res.setHeader("cache-control", "private");
      return next();
    });
    router.get("/*", files(root));
    const port = await listen(t, createServer(router));
    mkdirSync(join(root, "sub"));
    writeFileSync(join(root, "sub", "index.html"), "sub\n");
    for (const path of ["/a.txt", "/sub"]) {
      const { headers } = await ask(port, "GET", path);
      assert.equal(headers["cache-control"], "private");
    }
  });
});

describe("A folder", () => {
  testFiles(startFiles, ["a folder is its index, behind a slash"]);

  it("has no index if there is to be none", async (t) => {
    const root = makeFolder(t, { "index.html": "<p>" });
    const { port } = await serve(t, root, { index: "" });
    assert.equal((await ask(port, "GET", "/")).statusCode, 404);
  });

  it("ends its redirects where the router ignores slashes", async (t) => {
    const root = makeFolder(t, {});
    mkdirSync(join(root, "sub"));
    writeFileSync(join(root, "sub", "index.html"), "sub\n");
    const router = new Router({ ignoreTrailingSlash: true });
    const port = await listen(
      t,
      createServer(router.get("/*", files(root))),
    );
    const { headers } = await ask(port, "GET", "/sub");
    assert.equal(headers.location, "/sub/");
    assert.equal((await ask(port, "GET", "/sub/")).body, "sub\n");
  });
});

describe("A part of it", () => {
  testFiles(startFiles, [
    "a range is a part",
    "a range without a byte of the file is a 416",
    "what is no single range of bytes is ignored",
    "If-Range has to be true to the byte",
  ]);

  it("is read from a large file, too", async (t) => {
    const content = Buffer.from(
      Uint8Array.from({ length: 3 * MEGABYTE }, (_, i) => 97 + (i % 26)),
    );
    const { port } = await serve(
      t,
      makeFolder(t, { "large.txt": content }),
    );
    const headers = { range: "bytes=1000001-1000026" };
    const answer = await ask(port, "GET", "/large.txt", { headers });
    assert.equal(answer.statusCode, 206);
    assert.equal(
      answer.body,
      content.toString("latin1", 1_000_001, 1_000_027),
    );
  });
});

describe("Read once", () => {
  it("keeps what was used last, as long as it fits", () => {
    const kept = new Kept(10_000);
    const file = /** @type {any} */ ({ content: Buffer.alloc(3000) });
    for (const path of ["a", "b", "a", "c"]) kept.add(path, file);
    assert.deepEqual(
      ["a", "b", "c"].filter((path) => kept.get(path) !== undefined),
      ["a", "c"],
    );
    kept.add(
      "huge",
      /** @type {any} */ ({ content: Buffer.alloc(10_000) }),
    );
    assert.equal(kept.get("huge"), undefined);
    assert.notEqual(kept.get("a"), undefined);
  });

  it("reads no pipe and no other file in a file's place", async (t) => {
    const root = makeFolder(t, { "a.txt": "a", "b.txt": "bb" });
    const stats = statSync(join(root, "a.txt"));
    spawnSync("mkfifo", [join(root, "pipe")]);
    for (const name of ["b.txt", "pipe"]) {
      await assert.rejects(readWhole(join(root, name), stats), {
        statusCode: 503,
      });
    }
    const content = await readWhole(join(root, "a.txt"), stats);
    assert.equal(String(content), "a");
  });

  // A file that was just made isn't kept.
  const settle = () => sleep(2100);

  it("sends what is in the file now, whatever was kept", async (t) => {
    const root = makeFolder(t, { "a.txt": "one", "b.txt": "two" });
    const [a, b] = [join(root, "a.txt"), join(root, "b.txt")];
    const { port } = await serve(t, root);
    await settle();
    const body = async () => (await ask(port, "GET", "/a.txt")).body;
    assert.deepEqual([await body(), await body()], ["one", "one"]);
    writeFileSync(a, "six");
    assert.equal(await body(), "six");
    // Of the same size, and with the time of the other.
    const { atime, mtime } = statSync(a);
    writeFileSync(b, "ten");
    utimesSync(b, atime, mtime);
    renameSync(b, a);
    assert.equal(await body(), "ten");
    await settle();
    assert.equal(await body(), "ten");
    // In place, of the same size and with the time that it had.
    writeFileSync(a, "sky");
    utimesSync(a, atime, mtime);
    assert.equal(await body(), "sky");
    rmSync(a);
    assert.equal((await ask(port, "GET", "/a.txt")).statusCode, 404);
  });

  it("doesn't read a file again that it has kept", async (t) => {
    const root = makeFolder(t, { "a.txt": "one" });
    const { port } = await serve(t, root);
    await settle();
    await ask(port, "GET", "/a.txt");
    const opened = await countOpens(t);
    assert.equal((await ask(port, "GET", "/a.txt")).body, "one");
    assert.equal(opened(), 0);
    utimesSync(join(root, "a.txt"), 1, 1);
    assert.equal((await ask(port, "GET", "/a.txt")).body, "one");
    assert.equal(opened(), 1);
  });

  it("reads no more than is asked for where nothing is kept", async (t) => {
    const root = makeFolder(t, { "a.bin": Buffer.alloc(MEGABYTE, "a") });
    for (const keepBytes of [0, MEGABYTE - 1]) {
      const folder = new Folder(root, { keepBytes });
      const file = await folder.find("a.bin");
      assert.ok(file !== null, "the file wasn't found");
      const chunks = [];
      const part = /** @type {AsyncIterable<Buffer>} */ (
        folder.read(file, 5, 15)
      );
      for await (const chunk of part) chunks.push(String(chunk));
      assert.deepEqual(chunks, ["aaaaaaaaaa"]);
    }
  });

  it("doesn't keep what could change while it was read", async (t) => {
    const root = makeFolder(t, { "a.txt": "one" });
    const folder = new Folder(root, { keepBytes: MEGABYTE });
    const file = await folder.find("a.txt");
    assert.ok(file !== null, "the file wasn't found");
    const { now } = Date;
    let passed = 0;
    t.mock.method(Date, "now", () => now() + passed);
    const reading = folder.read(file, 0, 3);
    passed = 10_000;
    await reading;
    assert.equal((await folder.find("a.txt"))?.content, null);
    await folder.read(file, 0, 3);
    assert.equal(String((await folder.find("a.txt"))?.content), "one");
  });

  it("reads nothing until bytes are to be sent", async (t) => {
    const root = makeFolder(t, { "a.txt": "one" });
    const { port } = await serve(t, root);
    const opened = await countOpens(t);
    for (const [method, headers, expected] of /** @type {const} */ ([
      ["HEAD", {}, 200],
      ["GET", { "if-none-match": "*" }, 304],
      ["GET", { "if-match": '"another"' }, 412],
      ["GET", { range: "bytes=9-" }, 416],
    ])) {
      const answer = await ask(port, method, "/a.txt", { headers });
      assert.equal(answer.statusCode, expected);
      assert.equal(opened(), 0, `${method} gives ${expected}`);
    }
    const { headers } = await ask(port, "HEAD", "/a.txt");
    assert.equal(headers["content-length"], "3");
    const part = { headers: { range: "bytes=1-1" } };
    assert.equal((await ask(port, "GET", "/a.txt", part)).body, "n");
    assert.equal(opened(), 1);
  });
});

describe("Smaller, made beforehand", () => {
  testFiles(startFiles, ["a sibling is sent to whoever wants it"]);

  it("has tags of its own for each coding", async (t) => {
    const root = makeFolder(t, {
      "a.txt": "a",
      "a.txt.br": "b",
      "a.txt.gz": "g",
    });
    const { port } = await serve(t, root, { precompressed: true });
    const tags = new Set();
    for (const coding of ["br", "gzip", "identity"]) {
      const headers = { "accept-encoding": coding };
      tags.add(
        (await ask(port, "GET", "/a.txt", { headers })).headers.etag,
      );
    }
    assert.equal(tags.size, 3);
  });

  it("isn't looked for unless asked for", async (t) => {
    const root = makeFolder(t, { "a.txt": "a", "a.txt.br": "b" });
    const { port } = await serve(t, root);
    const headers = { "accept-encoding": "br" };
    const answer = await ask(port, "GET", "/a.txt", { headers });
    assert.equal(answer.body, "a");
    assert.equal(answer.headers.vary, undefined);
  });
});

describe("Break it", () => {
  it("makes no script of what is searched for", async (t) => {
    const url = new URL("..", import.meta.url);
    const program = await startProgram(url)({ limits: {} });
    t.after(() => program.close());
    const query = encodeURIComponent("<script>&lt;");
    const { body } = await ask(program.port, "GET", `/search?q=${query}`);
    assert.match(body, /&lt;script>&amp;lt;/);
  });
});

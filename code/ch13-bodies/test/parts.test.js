import assert from "node:assert/strict";
import { createWriteStream } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import net from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { describe, it } from "node:test";
import {
  LIMITS,
  post,
  testMultipart,
} from "../../contracts/bodies/index.js";
import { listen } from "../../contracts/router/ask.js";
import { createServer, Router } from "../index.js";
import { partLimits, readParts } from "../lib/request/multipart.js";
import { MultipartParser } from "../lib/request/multipart-parser.js";
import { parsePartHead } from "../lib/request/part-head.js";

const FIELDS = { "content-type": "multipart/form-data; boundary=B" };

/** @param {string} name @param {string} content */
const part = (name, content) =>
  `--B\r\nContent-Disposition: form-data; name=${name}\r\n\r\n${content}\r\n`;

describe("A form with files", () => {
  it("is cut anywhere", () => {
    const body = Buffer.from(`${part("a", "1\r\n-\r\n--2")}--B--`);
    for (let at = 0; at < body.length; at += 1) {
      const parser = new MultipartParser("B");
      parser.push(body.subarray(0, at));
      let text = takeAll(parser);
      parser.push(body.subarray(at));
      text += takeAll(parser);
      const head = "\r\nContent-Disposition: form-data; name=a";
      assert.equal(text, `${head}1\r\n-\r\n--2(end)`, `cut at ${at}`);
    }
  });

  it("has heads of so many bytes, wherever they are cut", () => {
    const start = "--B\r\n";
    const head = "\r\nA: 1234".length;
    const body = Buffer.from(`${start}A: 1234\r\n\r\n--B--`);
    for (let at = 0; at < body.length; at += 1) {
      const read = (/** @type {number} */ mostBytes) => {
        const parser = new MultipartParser("B");
        parser.push(body.subarray(0, at));
        const text = takeAll(parser, mostBytes);
        parser.push(body.subarray(at));
        return text + takeAll(parser, mostBytes);
      };
      assert.equal(read(head), "\r\nA: 1234(end)", `cut at ${at}`);
      assert.throws(
        () => read(head - 1),
        { statusCode: 413 },
        `cut at ${at}`,
      );
    }
  });

  it("keeps no more than a delimiter and a piece", () => {
    const parser = new MultipartParser("B");
    let longest = 0;
    parser.push(Buffer.from(`${part("a", "")}`.slice(0, -2)));
    takeAll(parser);
    for (let i = 0; i < 1_000; i += 1) {
      parser.push(Buffer.from("\r\n--"));
      const piece = parser.takePiece();
      longest = Math.max(longest, piece?.length ?? 0);
    }
    assert.ok(longest <= 8, `${longest} bytes at once`);
  });
});

/** @param {MultipartParser} parser */
function takeAll(parser, mostBytes = 1_000) {
  let text = "";
  for (;;) {
    const piece = parser.takePiece();
    if (piece === undefined) return text;
    const taken = piece ?? parser.takeHead(mostBytes);
    if (taken === undefined) return text;
    if (taken === null) return `${text}(end)`;
    text += taken;
  }
}

describe("What stands before a part", () => {
  it("is read, and the folders of a file's name are left out", () => {
    const rest = 'name="a"; filename="..\\..\\etc/x/../cat.png"';
    const head = `\r\nContent-Disposition: form-data; ${rest}`;
    assert.deepEqual(parsePartHead(Buffer.from(head)), {
      name: "a",
      filename: "cat.png",
      type: "text/plain",
    });
  });

  it("has to be UTF-8", () => {
    const head = '\r\nContent-Disposition: form-data; name="\xff"';
    const bytes = Buffer.from(head, "latin1");
    assert.throws(() => parsePartHead(bytes), { statusCode: 400 });
  });
});

describe("A gigabyte on its way to the disk", () => {
  it("reads plain heads as it reads all others", () => {
    for (const name of [
      "a",
      "né",
      "a b",
      "a;b",
      "a%22b",
      "a\\\\b",
      "",
      "a\0",
    ]) {
      const rest = `: form-data; name="${name}"`;
      const [plain, other] = [
        "Content-Disposition",
        "content-disposition",
      ].map((field) => readHead(`\r\n${field}${rest}`));
      assert.deepEqual(plain, other, name);
    }
    const long = '\r\nContent-Disposition: form-data; name="a"';
    assert.equal(
      readHead(`${long}\r\nContent-Type: text/css`).type,
      "text/css",
    );
    assert.equal(readHead(`${long}; filename="b"`).filename, "b");
  });
});

/** @param {string} head */
function readHead(head) {
  try {
    return parsePartHead(Buffer.from(head));
  } catch (err) {
    return err.message;
  }
}

describe("Parts, one after the other", () => {
  testMultipart(async (pieces, boundary) => {
    async function* body() {
      yield* pieces;
    }
    /** @type {[string, string | null, string, string][]} */
    const parts = [];
    const limits = { ...partLimits, ...LIMITS };
    for await (const part of readParts(body(), boundary, limits)) {
      const chunks = [];
      for await (const chunk of part) chunks.push(chunk);
      const content = Buffer.concat(chunks).toString();
      parts.push([part.name, part.filename, part.type, content]);
    }
    return parts;
  });

  it("come over a socket", async (t) => {
    const router = new Router().post("/", async (req) => {
      const found = [];
      for await (const { name } of req.parts()) found.push(name);
      return found;
    });
    const port = await listen(t, createServer(router));
    const body = `${part("a", "1")}${part("b", "2")}--B--`;
    assert.equal((await post(port, "/", FIELDS, body)).body, '["a","b"]');
    const cut = await post(port, "/", FIELDS, body.slice(0, -4));
    assert.equal(cut.statusCode, 400);
  });

  for (const type of [
    "multipart/form-data",
    'multipart/form-data; boundary=""',
    `multipart/form-data; boundary=${"B".repeat(71)}`,
  ]) {
    it(`need a boundary: ${type.slice(0, 40)}`, async (t) => {
      const router = new Router().post("/", async (req) => {
        for await (const part of req.parts()) await part.text();
      });
      const port = await listen(t, createServer(router));
      const fields = { "content-type": type };
      const { statusCode } = await post(port, "/", fields, "--B--");
      assert.equal(statusCode, 400);
    });
  }

  it("have their limits checked at the call", async (t) => {
    const router = new Router().post("/", async (req) => {
      const limits = /** @type {any} */ ({ counts: 1 });
      assert.throws(() => req.parts(limits), /did you mean count/);
      return "checked";
    });
    const port = await listen(t, createServer(router));
    assert.equal((await post(port, "/", FIELDS, "--B--")).body, "checked");
  });

  it("are read while they are there", async (t) => {
    /** @type {any[]} */
    const told = [];
    const router = new Router();
    router.post("/late", async (req) => {
      const parts = [];
      for await (const part of req.parts()) parts.push(part);
      return parts[0].text();
    });
    router.post("/twice", async (req) => {
      for await (const part of req.parts()) {
        await part.text();
        await part.text();
      }
    });
    const server = createServer(router, {
      onError: (err) => told.push(err),
    });
    const port = await listen(t, server);
    const body = `${part("a", "1")}${part("b", "2")}--B--`;
    for (const [path, code] of [
      ["/late", "ERR_PART_OVER"],
      ["/twice", "ERR_BODY_TAKEN"],
    ]) {
      assert.equal((await post(port, path, FIELDS, body)).statusCode, 500);
      assert.equal(told.pop().code, code);
    }
  });

  it("have limits that can be set", async (t) => {
    const body = `${part("aaa", "1234")}${part("b", "2")}--B--`;
    for (const [limits, statusCode] of /** @type {[any, number][]} */ ([
      [{}, 204],
      [{ count: 2 }, 204],
      [{ count: 1 }, 413],
      [{ headBytes: 20 }, 413],
      [{ nameBytes: 2 }, 413],
      [{ partBytes: 3 }, 413],
      [{ gatheredBytes: 3 }, 413],
      [{ gatheredBytes: 4 }, 204],
      [{ partByte: 3 }, 500],
      [{ partBytes: "3" }, 500],
    ])) {
      const router = new Router().post("/", async (req, res) => {
        for await (const part of req.parts(limits)) await part.text();
        res.status(204).end();
      });
      const server = createServer(router, { onError: () => {} });
      const port = await listen(t, server);
      const answer = await post(port, "/", FIELDS, body);
      assert.equal(answer.statusCode, statusCode, JSON.stringify(limits));
    }
  });

  it("are over when reading has failed, and the body is told", async () => {
    let isTold = false;
    async function* body() {
      try {
        yield Buffer.from(`${part("a", "1")}${part("b", "2")}--B`);
        yield Buffer.from("--");
      } finally {
        isTold = true;
      }
    }
    const parts = readParts(body(), "B", { ...partLimits, count: 1 });
    await parts.next();
    await assert.rejects(parts.next(), { statusCode: 413 });
    assert.ok(isTold, "the body was not told");
    assert.deepEqual(await parts.next(), { value: undefined, done: true });
  });

  it("go to the disk, and back the client up on the way", async (t) => {
    const folder = await mkdtemp(join(tmpdir(), "velocy-"));
    t.after(() => rm(folder, { recursive: true }));
    const options = { bodyBytes: Infinity };
    const router = new Router().post("/", options, async (req) => {
      for await (const part of req.parts()) {
        await pipeline(part, createWriteStream(join(folder, part.name)));
      }
      return "kept";
    });
    const port = await listen(t, createServer(router));
    const content = "0123456789".repeat(500_000);
    const body = `${part("a", content)}--B--`;
    assert.equal((await post(port, "/", FIELDS, body)).body, "kept");
    assert.equal(await readFile(join(folder, "a"), "utf8"), content);
  });

  it("fail if the client leaves", async (t) => {
    /** @type {(err: any) => void} */
    let failed = () => {};
    const failure = new Promise((resolve) => {
      failed = resolve;
    });
    const router = new Router().post("/", async (req) => {
      try {
        for await (const part of req.parts()) await part.bytes();
      } catch (err) {
        failed(err);
        throw err;
      }
    });
    const port = await listen(t, createServer(router));
    const socket = net.connect(port, "127.0.0.1");
    const head = "Content-Type: multipart/form-data; boundary=B\r\n";
    socket.write(`POST / HTTP/1.1\r\nHost: x\r\n${head}`);
    socket.write(`Content-Length: 1000\r\n\r\n${part("a", "1")}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
    socket.destroy();
    assert.equal((await failure).code, "ECONNRESET");
  });

  it("can't be read when their loop is left", async () => {
    async function* body() {
      yield Buffer.from(`${part("a", "1")}--B--`);
    }
    const kept = [];
    for await (const each of readParts(body(), "B", partLimits)) {
      kept.push(each);
      break;
    }
    await assert.rejects(kept[0].text(), { code: "ERR_PART_OVER" });
  });

  it("may be left early, and the next request is answered", async (t) => {
    const router = new Router().post("/", async (req) => {
      let first = "none";
      for await (const part of req.parts()) {
        first = part.name;
        break;
      }
      assert.ok(req.destroyed, "the body was not told");
      return first;
    });
    const port = await listen(t, createServer(router));
    for (const length of [10, 1_000, 900_000]) {
      const body = `${part("a", "1".repeat(length))}--B--`;
      assert.equal((await post(port, "/", FIELDS, body)).body, "a");
    }
  });
});

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import {
  httpContract,
  parserProperties,
  splitAnywhere,
  startProgram,
} from "../../contracts/http/index.js";
import { Program } from "../../contracts/program.js";
import {
  rawToolHalfCloses,
  rawToolResets,
} from "../../contracts/raw-tool.js";
import { RequestParser } from "../lib/request-parser.js";

const folder = new URL("..", import.meta.url);
const start = startProgram(folder);
const contract = httpContract({ start, until: 3 });

describe("Two requests in one event", () => {
  contract.check({ group: "pipelining" });
});

describe("A body that doesn't know its length", () => {
  contract.check({ group: "chunked" });
});

describe("A client that stops in the middle", () => {
  contract.check({ group: "keep-alive", name: /half|breaks off|the last/ });
  rawToolResets(folder);
  rawToolHalfCloses(folder);
});

describe("One parser for each connection", () => {
  contract.check({ group: "keep-alive" });

  /** @type {Program} */
  let server;
  before(async () => {
    server = await Program.start(folder);
  });
  after(() => server?.close());

  for (const [what, rest] of [
    ["a request", "GET / HTTP/1.0\r\n\r\n"],
    ["bytes that are no request", "pizza\r\n"],
  ]) {
    it(`sends the last answer whole, with ${what} behind it`, async () => {
      // More than the kernel takes at once: most waits in the server.
      const body = "x".repeat(20_000_000);
      const head = `POST / HTTP/1.0\r\nContent-Length: ${body.length}`;
      const socket = connect(server.port, "localhost");
      let length = 0;
      socket.on("data", (bytes) => {
        length += bytes.length;
      });
      socket.write(`${head}\r\n\r\n${body}${rest}`);
      await once(socket, "close");
      assert.ok(length > body.length, `only ${length} bytes came`);
    });
  }
});

describe("A program that knows where it is", () => {
  contract.checkTheRest();
});

describe("Cut it everywhere", () => {
  splitAnywhere(RequestParser, { until: 3 });
  parserProperties(RequestParser);
  contract.checkByteByByte();

  it("has a test that cuts at every offset, and it passes", async () => {
    const run = promisify(execFile);
    const cwd = fileURLToPath(folder);
    const { stdout } = await run(process.execPath, ["every-split.js"], {
      cwd,
    });
    assert.match(stdout, /^\d+ requests, wherever we cut\n$/);
  });
});

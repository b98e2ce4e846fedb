import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { connect, createServer } from "node:net";
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
import { Connection } from "../lib/connection.js";
import { RequestParser } from "../lib/request-parser.js";

/** @import { AddressInfo, Socket } from "node:net" */

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
    it(`sends the last answer whole, with ${what} after it`, async () => {
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

  /**
   * Sends a request to a connection in this process, and waits until its
   * socket is closed.
   *
   * @param {(socket: Socket) => void} misuse what the handler does to it
   * @param {(client: Socket) => void} leave what the client does then
   * @returns {Promise<Error[]>} what Node warned of meanwhile
   */
  async function warningsAfter(misuse, leave) {
    const warnings = [];
    const keep = (/** @type {Error} */ warning) => warnings.push(warning);
    process.on("warning", keep);
    const server = createServer().listen(0);
    await once(server, "listening");
    const { port } = /** @type {AddressInfo} */ (server.address());
    const client = connect(port, "localhost");
    client.on("error", () => {});
    client.resume();
    const [socket] = await once(server, "connection");
    const closed = new Promise((resolve) => socket.once("close", resolve));
    new Connection(socket, () => {
      misuse(socket);
      leave(client);
      return { statusCode: 200, fields: {}, body: "" };
    });
    client.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    await closed;
    // A warning comes a turn after its cause.
    await new Promise((resolve) => setImmediate(resolve));
    process.off("warning", keep);
    client.destroy();
    server.close();
    return warnings;
  }

  it("warns when it has written after the end, which is its own mistake", async () => {
    const warnings = await warningsAfter(
      (socket) => socket.end(),
      () => {},
    );
    assert.deepEqual(
      warnings.map(({ code }) => code),
      ["ERR_STREAM_WRITE_AFTER_END"],
    );
  });

  it("says nothing when the client hangs up", async () => {
    const warnings = await warningsAfter(
      () => {},
      (client) => client.resetAndDestroy(),
    );
    assert.deepEqual(warnings, []);
  });
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

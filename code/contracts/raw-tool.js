import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";

/**
 * What raw.js promises: to be a client for exactly the bytes it is given.
 *
 * @param {URL} folder of the milestone
 */
export function rawToolContract(folder) {
  // Each run ends only when nothing has happened for half a second.
  describe("raw.js", { concurrency: true }, () => {
    it("sends its arguments one after the other", async () => {
      const { received } = await run(folder, ["GET / HT", "TP/1.1"]);
      assert.equal(received, "GET / HTTP/1.1");
    });

    it("turns \\r \\n \\t \\0 \\\\ \\x41 into the bytes they name", async () => {
      const { received } = await run(folder, [
        "a\\r\\n\\t\\0\\\\\\x41\\xff",
      ]);
      assert.equal(received, "a\r\n\t\0\\A\xff");
    });

    it("leaves other backslashes and letters as they are", async () => {
      const { received } = await run(folder, ["\\d \\xzz \u00e9"]);
      assert.equal(received, "\\d \\xzz \xc3\xa9");
    });

    it("waits where it is told to", async () => {
      const { chunks } = await run(folder, ["one", "600ms", "two"]);
      assert.deepEqual(
        chunks.map(({ text }) => text),
        ["one", "two"],
      );
      const waited = chunks[1].at - chunks[0].at;
      // What came first may have been noticed late, on a busy machine.
      assert.ok(waited > 300, `waited ${waited} ms`);
    });

    it("prints what comes, and that the server has closed", async () => {
      const { printed } = await run(folder, ["x"], (socket) => {
        socket.end("HTTP/1.1 200 OK\r\n\r\nHello\n");
      });
      assert.equal(
        printed,
        "HTTP/1.1 200 OK\r\n\r\nHello\n\n-- the server closed the connection\n",
      );
    });

    it("says after a while that the connection is still open", async () => {
      const { printed } = await run(folder, ["x"], (socket) => {
        socket.write("Hello");
      });
      assert.equal(printed, "Hello\n-- the connection is still open\n");
    });

    it("says that nobody listens", async () => {
      const { printed } = await runRaw(folder, ["x"], 1);
      assert.match(printed, /ECONNREFUSED/);
    });
  });
}

/** @param {URL} folder of the milestone */
export function rawToolResets(folder) {
  it("raw.js breaks the connection off for the word reset", async () => {
    // Whoever takes a connection in when it's over already, on a busy
    // machine, may not learn how it ended: raw.js must have been greeted.
    for (let tries = 5; tries > 0; tries -= 1) {
      const greet = (/** @type {import("node:net").Socket} */ socket) => {
        socket.write("hello");
      };
      const words = ["x", "100ms", "reset"];
      const { error, printed } = await run(folder, words, greet);
      if (!printed.startsWith("hello") && tries > 1) continue;
      assert.equal(error, "ECONNRESET");
      return;
    }
  });
}

/** @param {URL} folder of the milestone */
export function rawToolHalfCloses(folder) {
  it("raw.js closes its side for the word end, and listens", async () => {
    const ignore = () => {};
    const { received, printed } = await run(
      folder,
      ["x", "end"],
      ignore,
      (socket) => socket.end("bye"),
    );
    assert.equal(received, "x");
    assert.equal(printed, "bye\n-- the server closed the connection\n");
  });
}

/** @typedef {(socket: import("node:net").Socket) => void} Reaction */

/**
 * Runs raw.js against a server that keeps what it gets.
 *
 * @param {URL} folder
 * @param {string[]} words
 * @param {Reaction} [onData]
 * @param {Reaction} [onEnd]
 */
async function run(folder, words, onData = () => {}, onEnd = () => {}) {
  /** @type {{ text: string, at: number }[]} */
  const chunks = [];
  let error = "";
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on("data", (bytes) => {
      chunks.push({
        text: bytes.toString("latin1"),
        at: performance.now(),
      });
      onData(socket);
    });
    socket.on("end", () => {
      onEnd(socket);
      socket.end();
    });
    socket.on("error", (/** @type {NodeJS.ErrnoException} */ { code }) => {
      error = code ?? "";
    });
  });
  server.listen(0);
  await once(server, "listening");
  const { port } = /** @type {import("node:net").AddressInfo} */ (
    server.address()
  );
  const connected = once(server, "connection");
  const { printed } = await runRaw(folder, words, port);
  // A busy process may learn of the connection when it's over already.
  await connected;
  server.close();
  await once(server, "close");
  const received = chunks.map(({ text }) => text).join("");
  return { printed, received, chunks, error };
}

/**
 * @param {URL} folder
 * @param {string[]} words
 * @param {number} port
 */
async function runRaw(folder, words, port) {
  const program = spawn(process.execPath, ["raw.js", ...words], {
    cwd: fileURLToPath(folder),
    env: { ...process.env, PORT: String(port) },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let printed = "";
  program.stdout.setEncoding("utf8").on("data", (text) => {
    printed += text;
  });
  await once(program, "close");
  return { printed };
}

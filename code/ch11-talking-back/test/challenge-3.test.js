import assert from "node:assert/strict";
import { once } from "node:events";
import net from "node:net";
import { Readable } from "node:stream";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { ask, listen } from "../../contracts/router/ask.js";
import { createServer, Router } from "../index.js";

const skip = process.env.CHALLENGE !== "3" && "challenge 3";

describe("Challenges", { skip }, () => {
  it("sends a row a line", async (t) => {
    const { port } = await serve(t, async function* () {
      yield { a: 1 };
      yield null;
      await sleep(5);
      yield ["é\n"];
    });
    const { statusCode, headers, body } = await ask(port, "GET", "/");
    assert.equal(statusCode, 200);
    assert.equal(headers["content-type"], "application/x-ndjson");
    assert.equal(body, '{"a":1}\nnull\n["é\\n"]\n');
  });

  it("sends rows of a stream, too", async (t) => {
    const { port } = await serve(t, () => Readable.from([1, 2]));
    assert.equal((await ask(port, "GET", "/")).body, "1\n2\n");
  });

  it("gives 500 for a row that fails at once", async (t) => {
    const { port, told } = await serve(t, async function* () {
      yield 1n;
    });
    assert.equal((await ask(port, "GET", "/")).statusCode, 500);
    assert.equal(told.length, 1);
  });

  it("cuts the connection for one that fails later", async (t) => {
    const { port, told } = await serve(t, async function* () {
      yield 1;
      await sleep(5);
      yield () => {};
    });
    await assert.rejects(ask(port, "GET", "/"), { code: "ECONNRESET" });
    assert.equal(told.length, 1);
  });

  const patience = { timeout: 5_000 };
  it("ends the rows when the client leaves", patience, async (t) => {
    let end = () => {};
    const ended = new Promise((resolve) => {
      end = () => resolve(undefined);
    });
    const { port } = await serve(t, async function* () {
      try {
        for (;;) {
          yield "x";
          await sleep(1);
        }
      } finally {
        end();
      }
    });
    const socket = net.connect(port, "127.0.0.1");
    socket.on("error", () => {});
    socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    await once(socket, "data");
    socket.destroy();
    await ended;
  });

  it("leaves no rows open that HEAD doesn't want", async (t) => {
    const rows = Readable.from(["x"]);
    const { port } = await serve(t, () => rows);
    const { headers } = await ask(port, "HEAD", "/");
    assert.equal(headers["content-type"], "application/x-ndjson");
    assert.equal(rows.destroyed, true);
  });
});

/**
 * @param {import("node:test").TestContext} t
 * @param {() => AsyncIterable<unknown>} rows
 */
async function serve(t, rows) {
  /** @type {unknown[]} */
  const told = [];
  const router = new Router().get("/", (_req, res) =>
    /** @type {any} */ (res).lines(rows()),
  );
  const onError = (/** @type {unknown} */ err) => told.push(err);
  const port = await listen(t, createServer(router, { onError }));
  return { port, told };
}

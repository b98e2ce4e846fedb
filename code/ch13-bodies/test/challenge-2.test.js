import assert from "node:assert/strict";
import net from "node:net";
import { describe, it } from "node:test";
import { post } from "../../contracts/bodies/index.js";
import { listen } from "../../contracts/router/ask.js";
import { createServer, Router } from "../index.js";

const skip = process.env.CHALLENGE !== "2" && "challenge 2";

const NDJSON = { "content-type": "application/x-ndjson" };

describe("Challenges", { skip }, () => {
  const long = `"${"a".repeat(64 * 1024 - 2)}"`;

  /** @type {[what: string, body: string, expected: unknown[] | number][]} */
  const cases = [
    ["values", '{"a":1}\n[2]\n"é"\n', [{ a: 1 }, [2], "é"]],
    ["no line end at the end", "1\n2", [1, 2]],
    ["empty lines", "\n1\r\n\r\n \n2\n\n", [1, 2]],
    ["nothing", "", []],
    ["a long line", `${long}\n1`, [long.slice(1, -1), 1]],
    ["a line that is too long", `${long} \n1`, 413],
    ["a line that is too long and doesn't end", `${long} `, 413],
    ["a line that isn't JSON", "1\n{\n", 400],
    ["two values on a line", "1 2\n", 400],
    ["a key that isn't allowed", '{"__proto__":1}\n', 400],
  ];
  for (const [what, body, expected] of cases) {
    it(`reads ${what}`, async (t) => {
      const router = new Router().post("/", async (req) => {
        const values = [];
        for await (const value of req.lines()) values.push(value);
        return values;
      });
      const port = await listen(t, createServer(router));
      const response = await post(port, "/", NDJSON, body);
      if (typeof expected === "number") {
        assert.equal(response.statusCode, expected);
        return;
      }
      assert.equal(response.statusCode, 200, response.body);
      assert.deepEqual(JSON.parse(response.body), expected);
    });
  }

  it("gives a value out before the next one comes", async (t) => {
    const router = new Router().post("/", async (req, res) => {
      for await (const value of req.lines()) res.write(`got ${value}\n`);
      res.end();
    });
    const port = await listen(t, createServer(router));
    const socket = net.connect(port, "127.0.0.1").setEncoding("latin1");
    t.after(() => socket.destroy());
    const head = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 6\r\n";
    socket.write(`${head}Content-Type: application/x-ndjson\r\n\r\n`);
    socket.setTimeout(2_000, () => socket.destroy());
    socket.write('"a');
    await new Promise((resolve) => setTimeout(resolve, 20));
    socket.write('"\n1');
    await seen(socket, "got a");
    socket.write("2");
    await seen(socket, "got 12");
  });

  it("is for its type", async (t) => {
    const router = new Router().post("/", async (req) => {
      for await (const value of req.lines())
        assert.fail(`${value} was read`);
    });
    const port = await listen(t, createServer(router));
    const fields = { "content-type": "application/json" };
    assert.equal((await post(port, "/", fields, "1")).statusCode, 415);
  });
});

/**
 * Waits until a text has come, and nothing behind it.
 *
 * @param {net.Socket} socket
 * @param {string} text
 */
function seen(socket, text) {
  return new Promise((resolve, reject) => {
    let received = "";
    socket.on("data", (chunk) => {
      received += chunk;
      if (received.includes(`${text}\n`)) resolve(undefined);
    });
    socket.on("close", () => reject(new Error(`no ${text}: ${received}`)));
  });
}

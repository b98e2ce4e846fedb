import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";

const skip = process.env.CHALLENGE !== "2" && "challenge 2";
const cwd = fileURLToPath(new URL("..", import.meta.url));

/**
 * @param {import("node:http").RequestListener} listener
 */
async function loadOne(listener) {
  const server = createServer(listener);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = /** @type {import("node:net").AddressInfo} */ (
    server.address()
  );
  const args = ["load.js", `http://127.0.0.1:${port}/`, "--seconds", "1"];
  const child = spawn(process.execPath, args, { cwd });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  server.closeAllConnections();
  server.close();
  return { stdout, stderr, code };
}

describe("Challenges", { skip }, () => {
  it("is content with answers that are all 200", async () => {
    const { code, stderr } = await loadOne((_req, res) => res.end("x"));
    assert.equal(code, 0, stderr);
  });

  it("counts the answers that were no success, by status, and fails", async () => {
    let number = 0;
    let refused = 0;
    const { code, stdout, stderr } = await loadOne((_req, res) => {
      number++;
      if (number % 4 === 0) {
        refused++;
        res.statusCode = 503;
      }
      res.end("x");
    });
    assert.equal(code, 1);
    const [, count] = /^(\d+) answers were 503$/m.exec(stderr) ?? [];
    assert.equal(Number(count), refused);
    const [, requests] = /^(\d+) requests/m.exec(stdout) ?? [];
    assert.equal(
      Number(requests),
      number - refused,
      "they were counted as requests",
    );
  });

  it("counts the connections that broke, goes on, and fails", async () => {
    let number = 0;
    let broken = 0;
    const { code, stdout, stderr } = await loadOne((req, res) => {
      number++;
      if (number % 50 === 0) {
        broken++;
        req.socket.destroy();
        return;
      }
      res.end("x");
    });
    assert.equal(code, 1);
    const [, count] = /^(\d+) connections broke$/m.exec(stderr) ?? [];
    assert.equal(Number(count), broken);
    assert.match(stdout, /^\d+ requests/m);
    assert.ok(number > 100, "it stopped at the first");
  });
});

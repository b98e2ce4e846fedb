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
    const refused = { 404: 0, 503: 0 };
    const { code, stdout, stderr } = await loadOne((_req, res) => {
      number++;
      if (number % 4 === 0) {
        const status = number % 8 === 0 ? 404 : 503;
        refused[status]++;
        res.statusCode = status;
      }
      res.end("x");
    });
    assert.equal(code, 1);
    for (const [status, count] of Object.entries(refused)) {
      assert.ok(
        stderr.includes(
          `${count} requests failed: the status was ${status}\n`,
        ),
        `${count} answers were ${status}, and it says:\n${stderr}`,
      );
    }
    const [, requests] = /^(\d+) requests/m.exec(stdout) ?? [];
    assert.equal(
      Number(requests),
      number - refused[404] - refused[503],
      "they were counted as requests",
    );
  });

  it("prints no report when there was no success", async () => {
    const { code, stdout, stderr } = await loadOne((_req, res) => {
      res.statusCode = 500;
      res.end("x");
    });
    assert.equal(code, 1);
    assert.equal(stdout, "", "it reports what nobody was given");
    assert.match(stderr, /^\d+ requests failed: the status was 500$/m);
  });

  it("still tells of connections that were cut off", async () => {
    let number = 0;
    const { code, stdout, stderr } = await loadOne((req, res) => {
      number++;
      if (number % 50 === 0) req.socket.destroy();
      else res.end("x");
    });
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^\d+ requests failed: the connection was cut off$/m,
    );
    assert.match(stdout, /^\d+ requests/m);
  });
});

import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import net from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { lacks } from "../../../tools/lib/programs.js";
import { freePort } from "../../contracts/port.js";
import { RedisClient } from "../lib/redis/client.js";

/**
 * A Redis that greets, and answers nothing else unless it is told to.
 *
 * @param {import("node:test").TestContext} t
 * @param {boolean} [isEnding] whether it ends a connection that it greeted
 */
async function startHanging(t, isEnding = false) {
  const state = { answers: false, connections: 0 };
  const server = net.createServer((socket) => {
    state.connections += 1;
    t.after(() => socket.destroy());
    socket.on("error", () => {});
    socket.on("data", (chunk) => {
      if (isEnding) return void socket.end("%0\r\n");
      const count = String(chunk).split(/^\*\d+\r\n/m).length - 1;
      if (String(chunk).includes("HELLO")) socket.write("%0\r\n");
      else if (state.answers) socket.write("+OK\r\n".repeat(count));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  const { port } = /** @type {net.AddressInfo} */ (server.address());
  const client = new RedisClient(`redis://127.0.0.1:${port}`, 50);
  t.after(() => client.close());
  return { client, state };
}

describe("Redis hangs", () => {
  it("isn't waited for by most of those who ask", async (t) => {
    const { client } = await startHanging(t);
    const asked = [];
    for (let i = 0; i < 150; i += 1) {
      const start = performance.now();
      const time = () => performance.now() - start;
      asked.push(client.command("SET", "a", "b").then(time, time));
      await sleep(10);
    }
    const waits = (await Promise.all(asked)).filter((time) => time > 5);
    assert.ok(waits.length < 60, `${waits.length} of 150 have waited`);
  });

  it("is greeted again after pauses that grow", async (t) => {
    const { client, state } = await startHanging(t);
    const end = performance.now() + 2_000;
    while (performance.now() < end) {
      await client.command("SET", "a", "b").catch(() => {});
      await sleep(5);
    }
    assert.ok(state.connections >= 3, `${state.connections} connections`);
    assert.ok(state.connections <= 9, `${state.connections} connections`);
  });

  it("is greeted after the same pauses if it ends what it greeted", async (t) => {
    const { state } = await startHanging(t, true);
    await sleep(2_000);
    assert.ok(state.connections >= 3, `${state.connections} connections`);
    assert.ok(state.connections <= 9, `${state.connections} connections`);
  });

  it("is asked at once when it only closes what is old", async (t) => {
    const server = net.createServer((socket) => {
      socket.on("error", () => {});
      socket.on("data", (chunk) => {
        const count = String(chunk).split(/^\*\d+\r\n/m).length - 1;
        const isGreeting = String(chunk).includes("HELLO");
        socket.write(isGreeting ? "%0\r\n" : "+OK\r\n".repeat(count));
      });
      setTimeout(() => socket.end(), 300);
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    t.after(() => server.close());
    const { port } = /** @type {net.AddressInfo} */ (server.address());
    const client = new RedisClient(`redis://127.0.0.1:${port}`, 1_000);
    t.after(() => client.close());
    let failed = 0;
    for (let i = 0; i < 150; i += 1) {
      await client.command("SET", "a", "b").catch(() => {
        failed += 1;
      });
      await sleep(20);
    }
    // One may be under way when a connection closes.
    assert.ok(failed <= 20, `${failed} of 150 have failed`);
  });

  it("is asked again when it answers again", async (t) => {
    const { client, state } = await startHanging(t);
    const start = performance.now();
    let reply = "";
    while (reply !== "OK" && performance.now() - start < 10_000) {
      state.answers = performance.now() - start > 500;
      const asked = client.command("SET", "a", "b");
      reply = await asked.catch(() => "");
      await sleep(10);
    }
    assert.equal(reply, "OK");
    assert.equal(await client.command("SET", "a", "b"), "OK");
  });
});

const MISSING = lacks("redis-server", "openssl");

describe("Where TLS ends", { skip: MISSING }, () => {
  /**
   * A real one, which takes nothing in the clear.
   *
   * @param {import("node:test").TestContext} t
   */
  async function startSecure(t) {
    const folder = mkdtempSync(path.join(tmpdir(), "velocy-rediss-"));
    const certificate = path.join(folder, "cert.pem");
    const words =
      "req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=localhost -addext" +
      " subjectAltName=DNS:localhost,IP:127.0.0.1" +
      " -keyout key.pem -out cert.pem";
    const where = { cwd: folder, stdio: /** @type {const} */ ("ignore") };
    execFileSync("openssl", words.split(" "), where);
    const port = await freePort();
    const settings =
      `--bind 127.0.0.1 --port 0 --tls-port ${port} --tls-cert-file cert.pem` +
      " --tls-key-file key.pem --tls-auth-clients no";
    const redis = spawn(
      "redis-server",
      [...settings.split(" "), "--save", ""],
      {
        cwd: folder,
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    t.after(async () => {
      redis.kill();
      await once(redis, "exit");
      rmSync(folder, { recursive: true, force: true });
    });
    for await (const line of redis.stdout) {
      if (String(line).includes("Ready to accept connections")) break;
    }
    return { certificate, port };
  }

  /**
   * What a process prints that asks once, and believes one more authority.
   *
   * @param {string} url
   * @param {string} [authority] the file of its certificate
   */
  function ask(url, authority) {
    const client = new URL("../lib/redis/client.js", import.meta.url);
    const program = `
import { RedisClient } from ${JSON.stringify(client.href)};
const client = new RedisClient(${JSON.stringify(url)});
const print = (err) => console.log(err.cause?.code ?? err.code);
await client.command("ECHO", "over TLS").then(console.log, print);
client.close();`;
    const { stdout, stderr } = spawnSync(
      process.execPath,
      ["--input-type=module", "--eval", program],
      {
        encoding: "utf8",
        env: { ...process.env, NODE_EXTRA_CA_CERTS: authority },
        timeout: 20_000,
      },
    );
    return `${stdout}${stderr}`.trim();
  }

  it("is asked by name and by address", async (t) => {
    const { certificate, port } = await startSecure(t);
    for (const host of ["localhost", "127.0.0.1"]) {
      const url = `rediss://${host}:${port}`;
      assert.equal(ask(url, certificate), "over TLS", host);
    }
  });

  it("isn't believed if nobody vouches for it", async (t) => {
    const { port } = await startSecure(t);
    const told = ask(`rediss://localhost:${port}`);
    assert.match(told, /DEPTH_ZERO_SELF_SIGNED_CERT/);
  });

  it("isn't asked in the clear", async (t) => {
    const { certificate, port } = await startSecure(t);
    const told = ask(`redis://localhost:${port}`, certificate);
    assert.doesNotMatch(told, /over TLS/);
    assert.notEqual(told, "");
  });
});

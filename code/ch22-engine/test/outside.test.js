import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import diagnostics from "node:diagnostics_channel";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import https from "node:https";
import net from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import tls from "node:tls";
import { lacks } from "../../../tools/lib/programs.js";
import { ask, listen } from "../../contracts/router/ask.js";
import * as velocy from "../index.js";
import { createServer } from "../lib/engine/index.js";

/** @import { TestContext } from "node:test" */

const { Router } = velocy;

/** @param {TestContext} t */
function makeSecret(t) {
  const folder = mkdtempSync(join(tmpdir(), "secret-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const [key, cert] = ["key", "cert"].map((name) => join(folder, name));
  const words = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost -keyout ${key} -out ${cert}`;
  execFileSync("openssl", words.split(" "), { stdio: "ignore" });
  return { key: readFileSync(key), cert: readFileSync(cert) };
}

describe("A connection for WebSockets, and one with TLS", () => {
  for (const [name, make] of /** @type {[string, any][]} */ ([
    ["node:http", velocy.createServer],
    ["the engine", createServer],
  ])) {
    it(`is HTTPS with a key and a certificate (${name})`, {
      skip: lacks("openssl"),
    }, async (t) => {
      const router = new Router();
      router.get("/", () => "secret");
      const server = make(router, makeSecret(t));
      const port = await listen(t, server);
      const options = { port, agent: false, rejectUnauthorized: false };
      const request = https.get({ host: "127.0.0.1", ...options });
      const [response] = await once(request, "response");
      const body = (await response.toArray()).join("");
      assert.equal(body, "secret");
      const closed = await velocy.closeGracefully(server);
      assert.equal(closed.cut, 0);
    });

    it(`is HTTPS with a secure context too (${name})`, () => {
      const secureContext = tls.createSecureContext();
      const server = make(new Router(), { secureContext });
      assert.ok(server instanceof tls.Server, "it is a plain server");
    });

    it(`is HTTPS with keys that both sides have already (${name})`, () => {
      const server = make(new Router(), { pskCallback: () => null });
      assert.ok(server instanceof tls.Server, "it is a plain server");
    });

    it(`tells clientError of a handshake that fails (${name})`, {
      skip: lacks("openssl"),
    }, async (t) => {
      const server = make(new Router(), makeSecret(t));
      const told = once(server, "clientError").then(([err, socket]) => {
        socket.destroy();
        return err;
      });
      const port = await listen(t, server);
      const client = net.connect(port, "127.0.0.1");
      client.on("error", () => {});
      client.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
      const patience = sleep(5_000, "nothing", { ref: false });
      const err = await Promise.race([told, patience]);
      client.destroy();
      assert.ok(err instanceof Error, `${err}`);
    });

    it(`tells of a request whose expectation it can't meet (${name})`, async (t) => {
      const server = make(new Router());
      const port = await listen(t, server);
      /** @type {any[]} */
      const told = [];
      const onStart = (/** @type {any} */ message) => {
        if (message.server === server) told.push(message.request.url);
      };
      const onFinish = (/** @type {any} */ message) => {
        if (message.server !== server) return;
        told.push(message.response.statusCode);
      };
      const names = /** @type {[string, any][]} */ ([
        ["http.server.request.start", onStart],
        ["http.server.response.finish", onFinish],
      ]);
      for (const [channel, tell] of names) {
        diagnostics.subscribe(channel, tell);
        t.after(() => diagnostics.unsubscribe(channel, tell));
      }
      const headers = { expect: "a-cake" };
      const { statusCode } = await ask(port, "GET", "/tea", { headers });
      assert.equal(statusCode, 417);
      assert.deepEqual(told, ["/tea", 417]);
    });

    it(`leaves the choice of a protocol to who chooses (${name})`, {
      skip: lacks("openssl"),
    }, async (t) => {
      const router = new Router();
      router.get("/", (/** @type {any} */ req) =>
        String(req.socket.alpnProtocol),
      );
      const choices = [
        { ALPNCallback: () => "http/1.1" },
        { ALPNProtocols: ["http/1.1"] },
        {},
      ];
      const secret = makeSecret(t);
      for (const choice of choices) {
        const port = await listen(
          t,
          make(router, { ...secret, ...choice }),
        );
        const ALPNProtocols = ["other", "http/1.1"];
        const how = { agent: false, rejectUnauthorized: false };
        const to = { host: "127.0.0.1", port, ALPNProtocols, ...how };
        const request = https.get(to);
        const [response] = await once(request, "response");
        const body = (await response.toArray()).join("");
        assert.equal(body, "http/1.1");
      }
    });

    it(`tells of its requests on node:http's channels (${name})`, async (t) => {
      const router = new Router();
      router.get("/text", () => "text");
      router.get("/stream", () => Readable.from(["a", "b"]));
      router.get("/none", (_req, res) => res.writeHead(204).end());
      router.get("/twice", (_req, res) => {
        res.end("once");
        res.end();
      });
      const server = make(router);
      const port = await listen(t, server);
      /** @type {any[]} */
      const started = [];
      /** @type {any[]} */
      const finished = [];
      const onStart = (/** @type {any} */ message) => {
        if (message.server !== server) return;
        assert.equal(message.socket, message.request.socket);
        started.push(message.request.url);
      };
      const onFinish = (/** @type {any} */ message) => {
        if (message.server !== server) return;
        finished.push(message.response.statusCode);
      };
      const names = /** @type {[string, any][]} */ ([
        ["http.server.request.start", onStart],
        ["http.server.response.finish", onFinish],
      ]);
      for (const [channel, tell] of names) {
        diagnostics.subscribe(channel, tell);
        t.after(() => diagnostics.unsubscribe(channel, tell));
      }
      const paths = ["/text", "/stream", "/none", "/twice", "/missing"];
      for (const path of paths) await ask(port, "GET", path);
      assert.deepEqual(started, paths);
      assert.deepEqual(finished, [200, 200, 204, 200, 404]);
    });
  }
});

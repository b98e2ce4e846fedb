import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import https from "node:https";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { lacks } from "../../../tools/lib/programs.js";
import { freePort } from "../../contracts/port.js";
import { MISSING, startHosts } from "./rig.js";

const options = { skip: MISSING, timeout: 100_000 };

describe("A deploy that nobody notices", options, () => {
  it("loses no page and no order, and takes none twice", async (t) => {
    const hosts = await startHosts(t);
    const before = await hosts.read("127.0.0.4", "/pid");
    const visitors = hosts.node("clients.js", "15");
    const told = await hosts.node("deploy.js", "3");
    assert.match(told, /2 is new\n.*3 is new\n.*4 is new\n/);
    assert.notEqual(await hosts.read("127.0.0.4", "/pid"), before);
    const counted = await visitors;
    assert.match(counted, /^GET: 200 \(all 750\)$/m);
    assert.match(counted, /^POST: 201 \(all 750\)$/m);
    assert.match(counted, /^orders taken twice: none$/m);
  });

  it("says that a host is down, and ends nobody", async () => {
    const PORT = String(await freePort());
    const deploy = spawn(process.execPath, ["deploy.js", "1"], {
      cwd: path.join(import.meta.dirname, ".."),
      env: { ...process.env, PORT },
      stdio: ["ignore", "ignore", "pipe"],
      // A group of its own: nothing else ends with it.
      detached: true,
    });
    const ended = once(deploy, "exit");
    const told = await text(deploy.stderr);
    const [code] = await ended;
    assert.match(told, /nobody answers at 127\.0\.0\.2/);
    assert.equal(code, 1);
  });
});

describe("What may be sent twice", options, () => {
  it("asks another host for a page, and never for an order", async (t) => {
    const hosts = await startHosts(t);
    const visitors = hosts.node("clients.js", "5");
    await hosts.untilBusy();
    await sleep(1_000);
    // All stand still first, or leastconn would keep the orders away from the
    // one that does: so it dies with orders that it can't answer.
    const names = ["127.0.0.2", "127.0.0.3", "127.0.0.4"];
    const pids = await Promise.all(
      names.map(async (name) => Number(await hosts.read(name, "/pid"))),
    );
    const [second, third, fourth] = pids;
    for (const pid of pids) process.kill(pid, "SIGSTOP");
    const order = async (
      /** @type {unknown} */ _,
      /** @type {number} */ number,
    ) => {
      const url = `http://127.0.0.1:${hosts.port}/orders/ours/${number}`;
      return (await fetch(url, { method: "POST" })).status;
    };
    const orders = Promise.all(Array.from({ length: 30 }, order));
    await hosts.untilBusy("127.0.0.3", 8).finally(() => {
      for (const pid of [second, fourth]) process.kill(pid, "SIGCONT");
    });
    process.kill(third, "SIGKILL");
    assert.deepEqual([...new Set(await orders)].sort(), [201, 502]);
    const taken = JSON.parse(await hosts.read("127.0.0.1", "/orders/ours"));
    assert.equal(new Set(taken).size, taken.length);
    const counted = await visitors;
    assert.match(counted, /^GET: 200 \(all 250\)$/m);
    assert.match(counted, /^orders taken twice: none$/m);
  });
});

describe("A host that says nothing", options, () => {
  it("costs no page, and few orders", async (t) => {
    const hosts = await startHosts(t);
    const pid = Number(await hosts.read("127.0.0.3", "/pid"));
    const visitors = hosts.node("clients.js", "5");
    await hosts.untilBusy();
    await sleep(1_000);
    process.kill(pid, "SIGSTOP");
    const counted = await visitors;
    process.kill(pid, "SIGKILL");
    assert.match(counted, /^GET: 200 \(all 250\)$/m);
    assert.match(counted, /^POST: 201 \(most\), no answer \(a few\)$/m);
  });
});

describe("Who is asking", options, () => {
  it("believes HAProxy and nobody else", async (t) => {
    const { port } = await startHosts(t);
    /** @param {string} host @param {string} localAddress */
    const ask = async (host, localAddress) => {
      const headers = { "x-forwarded-for": "6.6.6.6" };
      const to = { host, port, localAddress, headers, path: "/ip" };
      /** @type {http.IncomingMessage} */
      const response = await new Promise((resolve, reject) => {
        http.get(to, resolve).on("error", reject);
      });
      let text = "";
      for await (const chunk of response) text += chunk;
      return text.trim();
    };
    assert.equal(await ask("127.0.0.1", "127.0.0.50"), "127.0.0.50");
    assert.equal(await ask("127.0.0.2", "127.0.0.50"), "127.0.0.50");
    assert.equal(await ask("127.0.0.2", "127.0.0.7"), "6.6.6.6");
  });
});

describe("Where TLS ends", options, () => {
  /**
   * HAProxy with a certificate, from both files of the chapter.
   *
   * @param {import("node:test").TestContext} t
   */
  async function startWithTls(t) {
    const folder = mkdtempSync(path.join(tmpdir(), "velocy-tls-"));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const words =
      "req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=site -addext" +
      " subjectAltName=IP:127.0.0.10 -keyout key.pem -out cert.pem";
    const where = { cwd: folder, stdio: /** @type {const} */ ("ignore") };
    execFileSync("openssl", words.split(" "), where);
    const [key, ca] = ["key.pem", "cert.pem"].map((name) =>
      readFileSync(path.join(folder, name), "latin1"),
    );
    const pem = path.join(folder, "site.pem");
    writeFileSync(pem, key + ca);
    const ours = path.join(import.meta.dirname, "..", "tls.cfg");
    const config = readFileSync(ours, "utf8").replace("site.pem", pem);
    const file = path.join(folder, "tls.cfg");
    writeFileSync(file, config);
    return { ca, ...(await startHosts(t, "-f", file)) };
  }

  /**
   * @param {any} to
   * @param {typeof import("node:http")} [scheme]
   * @returns {Promise<string>}
   */
  async function ask(to, scheme = http) {
    const request = scheme.get({ ...to, agent: false });
    const [response] = await once(request, "response");
    return (await text(response)).trim();
  }

  const needs = { skip: lacks("openssl") };

  it("tells a host the scheme and the address", needs, async (t) => {
    const { port, ca } = await startWithTls(t);
    const localAddress = "127.0.0.50";
    const to = { host: "127.0.0.10", port, localAddress, ca };
    const over = /** @type {any} */ (https);
    assert.equal(await ask({ ...to, path: "/scheme" }, over), "https");
    assert.equal(await ask({ ...to, path: "/ip" }, over), "127.0.0.50");
  });

  it("is believed of HAProxy and of nobody else", needs, async (t) => {
    const { port, ca } = await startWithTls(t);
    const forged = { path: "/scheme", port };
    const claims = (/** @type {string} */ scheme) => ({
      "x-forwarded-proto": scheme,
    });
    for (const host of ["127.0.0.1", "127.0.0.2"]) {
      const to = { ...forged, host, headers: claims("https") };
      assert.equal(await ask(to), "http", host);
    }
    const to = {
      ...forged,
      host: "127.0.0.10",
      headers: claims("http"),
      ca,
    };
    assert.equal(await ask(to, /** @type {any} */ (https)), "https");
  });

  it("takes no plain request where TLS is expected", needs, async (t) => {
    const { port } = await startWithTls(t);
    await assert.rejects(
      ask({ host: "127.0.0.10", port, path: "/scheme" }),
      {
        code: "ECONNRESET",
      },
    );
  });
});

describe("A host that is slow", options, () => {
  it("gets few requests, and the others go on as before", async (t) => {
    const hosts = await startHosts(t);
    const slow = `http://127.0.0.3:${hosts.port}/pause/1200`;
    assert.equal((await fetch(slow, { method: "POST" })).status, 200);
    const counted = await hosts.node("clients.js", "5");
    assert.match(counted, /^GET: 200 \(all 250\)$/m);
    assert.match(counted, /^POST: 201 \(all 250\)$/m);
    assert.match(counted, /^slower than a second: a few$/m);
  });

  it("that answers only errors is taken out after five", async (t) => {
    const hosts = await startHosts(t);
    const ill = `http://127.0.0.3:${hosts.port}/pause/0`;
    assert.equal((await fetch(ill, { method: "POST" })).status, 200);
    const counted = await hosts.node("clients.js", "5");
    assert.match(counted, /^GET: 200 \(most\), 500 \(a few\)$/m);
    assert.match(counted, /^POST: 201 \(most\), 500 \(a few\)$/m);
  });
});

describe("One address for three hosts", options, () => {
  it("knows a visitor on every host", async (t) => {
    const { port } = await startHosts(t);
    const page = `http://127.0.0.1:${port}/visits`;
    const seen = new Set();
    let cookie = "";
    for (let count = 1; count <= 6; count += 1) {
      const response = await fetch(page, { headers: { cookie } });
      const text = await response.text();
      const [field] = response.headers.getSetCookie();
      cookie = field?.split(";")[0] ?? cookie;
      assert.match(text, new RegExp(`^visit ${count},`));
      seen.add(text.split(" at ")[1]);
    }
    assert.equal(seen.size, 3);
  });
});

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import http from "node:http";
import path from "node:path";
import { text } from "node:stream/consumers";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
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

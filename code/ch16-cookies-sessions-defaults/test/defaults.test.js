import assert from "node:assert/strict";
import { once } from "node:events";
import http from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import v8 from "node:v8";
import vm from "node:vm";
import {
  testAddresses,
  testCors,
  testCsrf,
  testLimits,
  testSecureFields,
} from "../../contracts/defaults/index.js";
import * as velocy from "../index.js";
import { outlook } from "../lib/limits/gcra.js";
import { networkOf } from "../lib/request/address.js";

const { MemoryLimits } = velocy;

describe("Another site's page", () => {
  describe("csrf", () => testCsrf(velocy));
  describe("cors", () => testCors(velocy));
});

describe("What a page may do", () => testSecureFields(velocy));

describe("Who asks, and how often", () => {
  testAddresses(velocy);
  testLimits(velocy, () => new MemoryLimits());

  it("has no address for a socket in the file system", async (t) => {
    const router = new velocy.Router().get("/", (req) => String(req.ip));
    const server = velocy.createServer(router, { proxies: ["127.0.0.1"] });
    const socketPath = join(tmpdir(), `velocy-${process.pid}.sock`);
    server.listen(socketPath);
    await once(server, "listening");
    t.after(() => server.close());
    const headers = { "x-forwarded-for": "1.1.1.1" };
    const req = http.get({ socketPath, path: "/", headers, agent: false });
    const [res] = await once(req, "response");
    const chunks = await res.toArray();
    assert.equal(Buffer.concat(chunks).toString(), "null");
  });

  for (const [address, network] of [
    ["192.0.2.1", "192.0.2.1"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["::", "0:0:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["1:2:3:4:5:6:7:8", "1:2:3:4::/64"],
    ["64:ff9b::192.0.2.33", "64:ff9b:0:0::/64"],
    ["", ""],
  ]) {
    it(`counts ${address || "no address"} as ${network || "one"}`, () => {
      assert.equal(networkOf(address), network);
    });
  }

  it("never lets more pass than its rate, whatever the times", () => {
    for (let seed = 1; seed <= 20; seed += 1) {
      let state = seed * 7919;
      const random = () => {
        state = (state * 48271) % 2147483647;
        return state / 2147483647;
      };
      let now = 1e9 * random();
      const limits = new MemoryLimits({ clock: () => now });
      const requests = 1 + Math.floor(random() * 20);
      const limit = { requests, seconds: 1 + Math.floor(random() * 5) };
      /** @type {number[]} */
      const passed = [];
      for (let i = 0; i < 500; i += 1) {
        now += random() < 0.5 ? 0 : random() * 400;
        if (limits.take("a", limit).isAllowed) passed.push(now);
      }
      // Any window holds a full burst and what comes back in it.
      for (const [i, start] of passed.entries()) {
        for (let j = i; j < passed.length; j += 1) {
          const time = passed[j] - start + 1;
          const most =
            requests + (time / (limit.seconds * 1000)) * requests;
          assert.ok(j - i + 1 <= most + 1, `seed ${seed}`);
        }
      }
    }
  });

  it("allows a whole burst at any time", () => {
    for (const requests of [1, 3, 7, 60, 100, 999]) {
      const now = 123456789.98765433;
      const limits = new MemoryLimits({ clock: () => now });
      const limit = { requests, seconds: 60 };
      for (let i = 0; i < requests; i += 1) {
        assert.equal(limits.take("a", limit).isAllowed, true);
      }
      assert.equal(limits.take("a", limit).isAllowed, false);
    }
  });

  it("allows no more at once, however short the time of one is", () => {
    const limits = new MemoryLimits({ clock: () => 0 });
    const limit = { requests: 700_000, seconds: 1 };
    let passed = 0;
    while (limits.take("a", limit).isAllowed) passed += 1;
    assert.equal(passed, 700_000);
  });

  it("keeps no more memory than its clients take", () => {
    v8.setFlagsFromString("--expose-gc");
    const gc = vm.runInNewContext("gc");
    const limits = new MemoryLimits({ clock: () => 0 });
    const limit = { requests: 1, seconds: 60 };
    const heap = () => {
      gc();
      return process.memoryUsage().heapUsed;
    };
    const comeOften = () => {
      for (let i = 0; i < 300_000; i += 1) limits.take(`${i % 100}`, limit);
      return heap();
    };
    const first = comeOften();
    const more = comeOften() - first;
    assert.ok(more < 1_000_000, `${more} bytes more for 100 clients`);
  });

  it("says that nothing remains when a limit has become smaller", () => {
    const ahead = 3_600_000_000;
    const { remaining } = outlook(ahead, { requests: 10, seconds: 60 });
    assert.equal(remaining, 0);
  });

  it("forgets whose time is over, and keeps no more than it may", () => {
    let now = 1000;
    const limits = new MemoryLimits({ clients: 1000, clock: () => now });
    const limit = { requests: 10, seconds: 1 };
    for (let i = 0; i < 50_000; i += 1) limits.take(`${i}`, limit);
    assert.equal(limits.size, 1000);
    now += 5000;
    for (let i = 0; i < 600; i += 1) limits.take("a", limit);
    assert.equal(limits.size, 1);
  });

  it("forgets whose time is over behind somebody whose time isn't", () => {
    let now = 1000;
    const limits = new MemoryLimits({ clock: () => now });
    const limit = { requests: 10, seconds: 60 };
    limits.take("patient", { requests: 1, seconds: 24 * 60 * 60 });
    for (let i = 0; i < 20_000; i += 1) limits.take(`${i}`, limit);
    now += 61_000;
    for (let i = 0; i < 11_000; i += 1) limits.take("a", limit);
    assert.equal(limits.size, 2);
  });

  it("forgets who came longest ago when there are too many", () => {
    const limits = new MemoryLimits({ clients: 3, clock: () => 0 });
    const limit = { requests: 1, seconds: 60 };
    const take = (/** @type {string} */ key) =>
      limits.take(key, limit).isAllowed;
    const seen = ["a", "b", "c", "a", "d", "c", "a", "b"].map(take);
    // "b" was forgotten when "d" came, and "a" and "c" came again.
    assert.deepEqual(seen, [
      ...[true, true, true, false],
      ...[true, false, false, true],
    ]);
  });
});

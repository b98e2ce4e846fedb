import assert from "node:assert/strict";
import { once } from "node:events";
import http from "node:http";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { closeGracefully, createServer, events, Router } from "../index.js";

const skip = process.env.CHALLENGE !== "1" && "challenge 1";

/**
 * @param {import("node:test").TestContext} t
 * @param {number} count
 */
async function streams(t, count) {
  const router = new Router();
  router.get("/", (req, res) => {
    events(req, res);
  });
  const server = createServer(router, { keepAliveTimeout: 50 }).listen(0);
  await once(server, "listening");
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = /** @type {any} */ (server.address());
  const all = [];
  for (let i = 0; i < count; i += 1) {
    const request = http.get({ port, agent: false });
    t.after(() => request.destroy());
    const [response] = await once(request, "response");
    response.on("error", () => {});
    all.push(response.resume());
  }
  return { server, all };
}

describe("Challenges", { skip }, () => {
  it("spreads the goodbyes over the time", async (t) => {
    const { server, all } = await streams(t, 5);
    const start = performance.now();
    const ends = all.map(async (response) => {
      await once(response, "end");
      return performance.now() - start;
    });
    const closed = closeGracefully(
      server,
      /** @type {any} */ ({ spread: 1000 }),
    );
    const times = await Promise.all(ends);
    for (const [i, time] of times.entries()) {
      assert.ok(time >= i * 200 - 20, `the ${i}th came at ${time}`);
    }
    assert.ok(times[0] < 190, "the first one at once");
    assert.ok(times[4] - times[0] > 700, "the last one late");
    assert.deepEqual(await closed, { finished: 5, cut: 0 });
  });

  it("leaves out those that have left meanwhile", async (t) => {
    const { server, all } = await streams(t, 2);
    const closed = closeGracefully(
      server,
      /** @type {any} */ ({ spread: 600 }),
    );
    await sleep(50);
    all[1].destroy();
    assert.deepEqual(await closed, { finished: 2, cut: 0 });
  });

  it("says them all at once unless it is told otherwise", async (t) => {
    const { server, all } = await streams(t, 5);
    let count = 0;
    for (const response of all) {
      response.on("end", () => {
        count += 1;
      });
    }
    const ends = all.map((response) => once(response, "end"));
    const start = performance.now();
    closeGracefully(server);
    await Promise.all(ends);
    assert.equal(count, 5);
    const took = performance.now() - start;
    assert.ok(took < 1000, `took ${took} ms`);
  });

  it("refuses a spread that is no time", () => {
    for (const spread of [-1, 0.5, "1"]) {
      const options = /** @type {any} */ ({ spread });
      assert.throws(
        () => closeGracefully(createServer(new Router()), options),
        {
          code: "ERR_OPTION_INVALID",
        },
      );
    }
  });
});

import assert from "node:assert/strict";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { describe, it } from "node:test";
import {
  createServer,
  HttpError,
  inject,
  openConnection,
  Router,
} from "../index.js";

/** @import { TestContext } from "node:test" */

/** @param {TestContext} t */
function listenTo(t) {
  const news = [];
  for (const name of ["start", "route", "error", "end"]) {
    const note = ({ req, res, route, error }) => {
      const more = { route: String(route), error: error?.message };
      news.push(`${name} ${req.url} ${more[name] ?? res.statusCode}`);
    };
    subscribe(`velocy:request:${name}`, note);
    t.after(() => unsubscribe(`velocy:request:${name}`, note));
  }
  return news;
}

describe("Who wants to know", () => {
  const router = new Router();
  router.get("/users/:id", (req) => req.params.id);
  router.get("/broken", () => {
    throw new Error("broken");
  });
  router.get("/refused", () => {
    throw new HttpError(403);
  });
  const server = createServer(router, { onError: () => {} });

  for (const [target, ...expected] of [
    ["/users/7", "start 200", "route GET /users/:id", "end 200"],
    [
      "/broken",
      "start 200",
      "route GET /broken",
      "error broken",
      "end 500",
    ],
    ["/refused", "start 200", "route GET /refused", "end 403"],
    ["/nothing", "start 200", "route null", "end 404"],
    ["/%zz", "start 200", "route null", "end 400"],
  ]) {
    it(`tells of ${target} what happened to it`, async (t) => {
      const news = listenTo(t);
      await inject(server, { target });
      while (!news.at(-1)?.startsWith("end"))
        await new Promise(setImmediate);
      const without = news.map((line) => line.replace(` ${target}`, ""));
      assert.deepEqual(without, expected);
    });
  }

  it("tells of a request when all of it can be asked for", async (t) => {
    /** @type {any[]} */
    const seen = [];
    const note = (/** @type {any} */ { req }) =>
      seen.push(req.ip, req.bodyLength);
    subscribe("velocy:request:start", note);
    t.after(() => unsubscribe("velocy:request:start", note));
    const behind = createServer(router, { proxies: ["127.0.0.0/8"] });
    await inject(behind, {
      target: "/users/7",
      headers: { "x-forwarded-for": "192.0.2.7" },
      body: "hello",
    });
    assert.deepEqual(seen, ["192.0.2.7", 5]);
  });

  it("tells of a client that has left", async (t) => {
    /** @type {(message: any) => void} */
    let tell = () => {};
    const ended = new Promise((resolve) => {
      tell = ({ res }) => resolve(res.writableFinished);
    });
    subscribe("velocy:request:end", tell);
    t.after(() => unsubscribe("velocy:request:end", tell));
    const silent = new Router().get("/", () => new Promise(() => {}));
    const client = openConnection(createServer(silent));
    client.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    setTimeout(() => client.destroy(), 20);
    assert.equal(await ended, false);
  });

  it("adds no listener where nobody listens", async () => {
    const counts = [];
    const counting = new Router().get("/", (_req, res) => {
      counts.push(res.listenerCount("close"));
      return "";
    });
    const listening = createServer(counting);
    await inject(listening);
    const note = () => {};
    subscribe("velocy:request:end", note);
    await inject(listening);
    unsubscribe("velocy:request:end", note);
    await inject(listening);
    const [before, during, after] = counts;
    assert.equal(during, before + 1);
    assert.equal(after, before);
  });

  it("tells also what comes over a socket", async (t) => {
    const news = listenTo(t);
    const listening = createServer(router).listen(0, "127.0.0.1");
    await once(listening, "listening");
    const { port } = /** @type {any} */ (listening.address());
    await (await fetch(`http://127.0.0.1:${port}/users/7`)).text();
    listening.closeAllConnections();
    listening.close();
    assert.equal(news[0], "start /users/7 200");
  });
});

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { HttpError, inject, Router } from "../index.js";

const isSkipped = process.env.CHALLENGE !== "1" && "challenge 1";

class Store {
  /** @type {Map<string, any>} */
  known = new Map();

  /** @param {string} key */
  async begin(key) {
    const known = this.known.get(key) ?? null;
    if (known === null) this.known.set(key, "busy");
    return known;
  }

  /** @param {string} key @param {any} answer */
  async finish(key, answer) {
    this.known.set(key, answer);
  }

  /** @param {string} key */
  async forget(key) {
    this.known.delete(key);
  }
}

describe("Challenges", { skip: isSkipped }, () => {
  /** @param {(count: number) => any} answer */
  const start = async (answer) => {
    const file = "../lib/middleware/once.js";
    const { once } = await import(file);
    const router = new Router();
    let count = 0;
    router.use(once(new Store()));
    /** @param {any} _req @param {any} res */
    const handler = (_req, res) => {
      count += 1;
      res.status(201);
      return answer(count);
    };
    router.get("/orders", handler);
    router.post("/orders", handler);
    /** @param {string | null} key @param {string} [method] */
    const ask = async (key, method = "POST") => {
      const headers = key === null ? {} : { "idempotency-key": key };
      const request = { method, target: "/orders", headers };
      const response = await inject(router, request);
      return [response.statusCode, await response.text()];
    };
    return { ask, counted: () => count };
  };

  it("carries out what comes twice with one key once", async () => {
    const { ask, counted } = await start((count) => `order ${count}`);
    assert.deepEqual(await ask("a"), [201, "order 1"]);
    assert.deepEqual(await ask("a"), [201, "order 1"]);
    assert.deepEqual(await ask("b"), [201, "order 2"]);
    assert.equal(counted(), 2);
  });

  it("leaves other methods and requests without a key alone", async () => {
    const { ask, counted } = await start((count) => `${count}`);
    for (const key of [null, null]) await ask(key);
    for (const method of ["GET", "GET"]) await ask("a", method);
    assert.equal(counted(), 4);
  });

  it("says 409 while the first is under way", async () => {
    /** @type {(text: string) => void} */
    let finish = () => {};
    const { ask, counted } = await start(() => {
      return new Promise((resolve) => {
        finish = resolve;
      });
    });
    const first = ask("a");
    while (counted() === 0) await new Promise(setImmediate);
    assert.equal((await ask("a"))[0], 409);
    finish("done");
    assert.deepEqual(await first, [201, "done"]);
    assert.deepEqual(await ask("a"), [201, "done"]);
  });

  it("lets a key be used again when the handler has failed", async () => {
    const { ask } = await start((count) => {
      if (count === 1) throw new HttpError(503, "not now");
      return "taken";
    });
    assert.equal((await ask("a"))[0], 503);
    assert.deepEqual(await ask("a"), [201, "taken"]);
  });

  for (const key of ["", "a b", "a".repeat(65), "a,b", "é"]) {
    it(`says 400 to the key ${JSON.stringify(key.slice(0, 9))}`, async () => {
      const { ask, counted } = await start(() => "taken");
      assert.equal((await ask(key))[0], 400);
      assert.equal(counted(), 0);
    });
  }
});

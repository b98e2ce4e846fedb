import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { health, inject, Router } from "../index.js";

const skip = process.env.CHALLENGE !== "2" && "challenge 2";

describe("Challenges", { skip }, () => {
  it("keeps a result for as long as it is told, good or bad", async () => {
    let runs = 0;
    const check = async () => {
      runs += 1;
      await sleep(20);
      return runs % 2 === 0;
    };
    const options = /** @type {any} */ ({ every: 300 });
    const router = new Router();
    router.get("/readyz", health({ check }, options).ready);
    const ask = async () =>
      (await inject(router, { target: "/readyz" })).statusCode;
    assert.deepEqual(await Promise.all([ask(), ask()]), [503, 503]);
    assert.deepEqual([await ask(), await ask(), runs], [503, 503, 1]);
    await sleep(350);
    assert.deepEqual([await ask(), await ask(), runs], [200, 200, 2]);
  });

  it("doesn't start a check that is still running, however old", async () => {
    let runs = 0;
    const check = async () => {
      runs += 1;
      if (runs > 1) await sleep(300);
    };
    const options = /** @type {any} */ ({ every: 20 });
    const router = new Router();
    router.get("/readyz", health({ check }, options).ready);
    const ask = () => inject(router, { target: "/readyz" });
    await ask();
    await sleep(50);
    const second = ask();
    await sleep(100);
    const third = ask();
    for (const { statusCode } of await Promise.all([second, third])) {
      assert.equal(statusCode, 200);
    }
    assert.equal(runs, 2);
  });

  it("refuses what is no time", () => {
    for (const every of [-1, "1", 0.5]) {
      const options = /** @type {any} */ ({ every });
      assert.throws(() => health({}, options), {
        code: "ERR_OPTION_INVALID",
      });
    }
  });
});

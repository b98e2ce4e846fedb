import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isAlive, SHARINGS, Supervised, untilGone } from "./supervised.js";

const PLAIN = `
const router = new Router();
router.get("/pid", () => process.pid);
router.get("/slow", async () => { await sleep(500); return "slow"; });
router.get("/hang", () => { for (;;); });
router.get("/exit", () => process.exit(3));
createServer(router, { keepAliveTimeout: 100 }).listen(port);
`;

const READY = /worker \d \(pid (\d+)\) is ready/;

for (const sharing of SHARINGS) {
  const words = ["--workers", "2", "--sharing", sharing];

  describe(sharing, { concurrency: false }, () => {
    it("starts workers that share a port, and another for one that ends", async (t) => {
      const velocy = await Supervised.start(t, PLAIN, words);
      const [first] = await velocy.says(READY);
      await velocy.says(READY, 2);
      process.kill(Number(first), "SIGKILL");
      await velocy.says(/ended by SIGKILL/);
      const [third] = await velocy.says(READY, 3);
      assert.ok(isAlive(third));
      assert.match(await velocy.ask("/pid"), /^\d+$/);
    });

    it("replaces each worker on SIGHUP, with the new program", async (t) => {
      const velocy = await Supervised.start(t, PLAIN, words);
      await velocy.says(READY, 2);
      velocy.write(PLAIN.replace("() => process.pid", '() => "new"'));
      const slow = velocy.ask("/slow");
      velocy.signal("SIGHUP");
      await velocy.says(/restarted: 2 of 2/);
      assert.equal(await slow, "slow");
      for (let i = 0; i < 4; i += 1)
        assert.equal(await velocy.ask("/pid"), "new");
    });

    it("keeps the old ones when the new program doesn't start", async (t) => {
      const velocy = await Supervised.start(t, PLAIN, words);
      const [first] = await velocy.says(READY);
      const [second] = await velocy.says(READY, 2);
      velocy.write("throw new Error('broken')");
      velocy.signal("SIGHUP");
      await velocy.says(/restart given up/);
      assert.ok(isAlive(first) && isAlive(second));
      assert.match(await velocy.ask("/pid"), /^\d+$/);
    });

    it("finishes what was begun on SIGTERM, and ends with 0", async (t) => {
      const velocy = await Supervised.start(t, PLAIN, words);
      await velocy.says(READY, 2);
      const slow = velocy.ask("/slow");
      await velocy.ask("/pid");
      velocy.signal("SIGTERM");
      assert.equal(await slow, "slow");
      assert.equal(await velocy.end(), 0);
    });

    it("finds a worker that hangs, and kills it", async (t) => {
      const velocy = await Supervised.start(t, PLAIN, [
        ...words,
        "--hung-after",
        "500",
      ]);
      await velocy.says(READY, 2);
      await assert.rejects(velocy.ask("/hang"));
      await velocy.says(/is hung: killing it/);
      await velocy.says(READY, 3);
      assert.match(await velocy.ask("/pid"), /^\d+$/);
    });

    it("has workers that leave when it is dead, and finish first", async (t) => {
      const velocy = await Supervised.start(t, PLAIN, words);
      const [first] = await velocy.says(READY);
      const [second] = await velocy.says(READY, 2);
      const slow = velocy.ask("/slow");
      await velocy.ask("/pid");
      velocy.signal("SIGKILL");
      assert.equal(await slow, "slow");
      await untilGone(first);
      await untilGone(second);
    });
  });
}

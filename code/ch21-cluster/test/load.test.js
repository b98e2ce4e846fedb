import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { explain, notingProgram } from "../../contracts/cluster/ledger.js";
import { SteadyLoad } from "../../contracts/cluster/load.js";
import { SHARINGS, Supervised } from "./supervised.js";

const READY = /worker \d \(pid (\d+)\) is ready/;

function ledgerFolder(t) {
  const folder = mkdtempSync(path.join(tmpdir(), "velocy-ledger-"));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

describe("New ones before old ones leave", () => {
  for (const sharing of SHARINGS) {
    it(`loses nothing in rolling restarts (${sharing})`, async (t) => {
      const folder = ledgerFolder(t);
      const program = `const router = new Router();${notingProgram(folder)}`;
      const words = ["--workers", "2", "--sharing", sharing];
      const velocy = await Supervised.start(t, program, words);
      await velocy.says(READY, 2);
      const load = new SteadyLoad(velocy.port, 100, 16);
      for (let count = 1; count <= 2; count += 1) {
        velocy.signal("SIGHUP");
        await velocy.says(/restarted: 2 of 2/, count);
      }
      await load.finish();
      assert.ok(load.results.length > 50, String(load.results.length));
      assert.deepEqual(load.failed, []);
    });
  }
});

describe("Break it", () => {
  for (const sharing of SHARINGS) {
    const only =
      sharing === "socket"
        ? "loses in kills only what the killed ones had"
        : "loses in kills that, and at most a connection on its way for each";
    it(only, async (t) => {
      const folder = ledgerFolder(t);
      const program = `const router = new Router();${notingProgram(folder)}`;
      const words = ["--workers", "3", "--sharing", sharing];
      const velocy = await Supervised.start(t, program, words);
      await velocy.says(READY, 3);
      const load = new SteadyLoad(velocy.port, 100, 16);
      /** @type {Map<string, number>} */
      const killed = new Map();
      for (let count = 1; count <= 5; count += 1) {
        const [pid] = await velocy.says(READY, count);
        killed.set(pid, load.now);
        process.kill(Number(pid), "SIGKILL");
        await velocy.says(READY, 3 + count);
        await sleep(200);
      }
      await load.finish();
      const told = explain(folder, load.failed, killed);
      t.diagnostic(`${load.results.length} sent, ${JSON.stringify(told)}`);
      const { length } = load.results;
      assert.ok(length > 50, `only ${length} requests`);
      const { unexplained } = told;
      if (sharing === "socket") assert.deepEqual(unexplained, []);
      // The primary waits for ever for word of a connection that it gave away.
      const many = `${unexplained.length} at ${killed.size} kills`;
      assert.ok(unexplained.length <= killed.size, many);
      for (const { error } of unexplained) assert.equal(error, "ABORT_ERR");
    });
  }
});

import assert from "node:assert/strict";
import { describe, it } from "node:test";

const isSkipped = process.env.CHALLENGE !== "2" && "challenge 2";

const keys = Array.from({ length: 10_000 }, (_, i) => `session:${i}`);
const four = ["redis-a", "redis-b", "redis-c", "redis-d"];

describe("Challenges", { skip: isSkipped }, () => {
  const load = async () => {
    const file = "../lib/redis/shards.js";
    return (await import(file)).shardOf;
  };

  it("gives each server about as many keys", async () => {
    const shardOf = await load();
    const counts = new Map(four.map((server) => [server, 0]));
    for (const key of keys) {
      const server = shardOf(key, four);
      counts.set(server, (counts.get(server) ?? NaN) + 1);
    }
    for (const [server, count] of counts) {
      assert.ok(count > 2_300 && count < 2_700, `${server}: ${count}`);
    }
  });

  it("doesn't look at the order of the servers", async () => {
    const shardOf = await load();
    const turned = four.toReversed();
    for (const key of keys.slice(0, 500)) {
      assert.equal(shardOf(key, turned), shardOf(key, four));
    }
  });

  it("moves a fifth of the keys to a fifth server, and no other", async () => {
    const shardOf = await load();
    const five = ["redis-0", ...four];
    const moved = keys.filter((key) => {
      return shardOf(key, five) !== shardOf(key, four);
    });
    assert.ok(
      moved.length > 1_800 && moved.length < 2_200,
      `${moved.length}`,
    );
    for (const key of moved) assert.equal(shardOf(key, five), "redis-0");
  });

  it("moves only a lost server's keys when one is lost", async () => {
    const shardOf = await load();
    const three = four.slice(1);
    for (const key of keys.slice(0, 2_000)) {
      const before = shardOf(key, four);
      if (before === four[0]) continue;
      assert.equal(shardOf(key, three), before);
    }
  });
});

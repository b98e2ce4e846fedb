import assert from "node:assert/strict";
import { describe, it } from "node:test";

const skip = process.env.CHALLENGE !== "2" && "challenge 2";

describe("Challenges", { skip }, () => {
  it("moves only the keys of the server that is lost", async () => {
    const { serverOf } = await import("../place.js");
    const ports = [3000, 3001, 3002, 3003];
    const left = ports.filter((port) => port !== 3001);
    const counts = new Map(ports.map((port) => [port, 0]));
    for (let n = 0; n < 8000; n++) {
      const key = `key:${n}`;
      const before = ports[serverOf(key, ports)];
      const after = left[serverOf(key, left)];
      if (before !== 3001) assert.equal(after, before, key);
      counts.set(before, counts.get(before) + 1);
    }
    for (const [port, count] of counts) {
      assert.ok(
        count > 1700 && count < 2300,
        `${port} has ${count} of 8000`,
      );
    }
  });
});

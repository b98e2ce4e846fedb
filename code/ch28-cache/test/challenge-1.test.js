import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Client, start } from "./serving.js";

const skip = process.env.CHALLENGE !== "1" && "challenge 1";

describe("Challenges", { skip }, () => {
  it("makes no new item while a counter's digits are as many", async () => {
    const server = await start();
    const client = await Client.open(server.place);
    const { store } = server.cache;
    try {
      let reserved = 0;
      const reserve = store.reserve.bind(store);
      store.reserve = (...args) => {
        reserved++;
        return reserve(...args);
      };
      await client.ask("set n 7 0 2\r\n10\r\n", "STORED\r\n");
      const first = await client.askUntil("gets n\r\n", "END\r\n");
      for (let n = 11; n < 100; n++) {
        assert.equal(
          await client.ask("incr n 1\r\n", `${n}\r\n`),
          `${n}\r\n`,
        );
      }
      assert.equal(reserved, 1, "items made up to 99");
      assert.equal(await client.ask("incr n 1\r\n", "100\r\n"), "100\r\n");
      assert.equal(await client.ask("decr n 1\r\n", "99\r\n"), "99\r\n");
      assert.equal(reserved, 3, "items made when the digits change");
      const last = await client.askUntil("gets n\r\n", "END\r\n");
      assert.match(last, /^VALUE n 7 2 \d+\r\n99\r\nEND\r\n$/);
      assert.notEqual(first.split(" ")[4], last.split(" ")[4]);
      await client.ask("incr n 0\r\n", "99\r\n");
      const changed = await client.askUntil("gets n\r\n", "END\r\n");
      assert.notEqual(last, changed, "the version for cas");
    } finally {
      client.close();
      await server.close();
    }
  });
});

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { freePort } from "../../contracts/port.js";
import * as cluster from "../lib/cluster/index.js";
import { Supervised } from "./supervised.js";

const skip = process.env.CHALLENGE !== "2" && "challenge 2";
const INDEX = new URL("../lib/cluster/index.js", import.meta.url).href;

describe("Challenges", { skip }, () => {
  it("shows what a program has counted, of all workers", async (t) => {
    const program = `
const { count } = await import(${JSON.stringify(INDEX)});
createServer(new Router()).listen(port, () => {
  count("started_total");
  count('orders_total{kind="book"}', 3);
});
`;
    const metricsPort = await freePort();
    const velocy = await Supervised.startWith(t, program, {
      workers: 2,
      hungAfter: 400,
      metricsPort,
    });
    await velocy.says(/is ready/, 2);
    let text = "";
    while (!text.includes("started_total 2")) {
      const address = `http://127.0.0.1:${metricsPort}/metrics`;
      text = await (await fetch(address)).text();
    }
    assert.match(text, /^orders_total\{kind="book"\} 6$/m);
  });

  it("refuses what isn't a name", () => {
    for (const name of ["", "7up", "a b", 'a{b="c}', "a\nb 1", 7]) {
      assert.throws(() => cluster.count(name), {
        code: "ERR_COUNTER_INVALID",
      });
    }
    cluster.count("a:b_total");
  });
});

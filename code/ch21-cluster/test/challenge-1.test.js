import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Supervised } from "./supervised.js";

const skip = process.env.CHALLENGE !== "1" && "challenge 1";

const PROGRAM = `
const router = new Router();
router.get("/pid", () => process.pid);
createServer(router, { keepAliveTimeout: 100 }).listen(port);
`;
const READY = /worker (\d) \(pid \d+\) is ready/;

describe("Challenges", { skip }, () => {
  it("replaces a worker that is too old, one at a time", async (t) => {
    const velocy = await Supervised.startWith(t, PROGRAM, {
      workers: 2,
      hungAfter: 400,
      maxAge: 1500,
    });
    const places = [];
    for (let count = 1; count <= 4; count += 1) {
      places.push((await velocy.says(READY, count))[0]);
    }
    assert.deepEqual(places.slice(2).sort(), ["1", "2"]);
    assert.match(await velocy.ask("/pid"), /^\d+$/);
    assert.doesNotMatch(velocy.output, /another starts (in|at)/);
  });

  it("refuses an age that is none", async (t) => {
    const velocy = await Supervised.startWith(t, PROGRAM, { maxAge: -1 });
    await velocy.says(/the option maxAge must be milliseconds/);
  });
});

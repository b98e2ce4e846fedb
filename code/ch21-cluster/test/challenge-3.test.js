import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Supervised } from "./supervised.js";

const skip = process.env.CHALLENGE !== "3" && "challenge 3";

const program = (status) => `
const router = new Router();
router.get("/pid", () => process.pid);
router.get("/healthz", (_req, res) => res.status(${status}).text("so"));
createServer(router, { keepAliveTimeout: 100 }).listen(port);
`;

describe("Challenges", { skip }, () => {
  it("takes a worker only if it is well", async (t) => {
    const velocy = await Supervised.startWith(t, program(200), {
      workers: 2,
      check: "/healthz",
    });
    await velocy.says(/is ready/, 2);
    velocy.signal("SIGHUP");
    await velocy.says(/restarted: 2 of 2/);
    velocy.write(program(503));
    const before = await velocy.ask("/pid");
    velocy.signal("SIGHUP");
    await velocy.says(/restart given up/);
    assert.match(before, /^\d+$/);
    assert.match(await velocy.ask("/pid"), /^\d+$/);
    assert.equal(await velocy.ask("/healthz"), "so");
    const response = await fetch(`http://127.0.0.1:${velocy.port}/healthz`);
    assert.equal(response.status, 200);
  });
});

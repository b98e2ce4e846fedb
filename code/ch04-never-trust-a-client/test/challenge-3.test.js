import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { startServer } from "../../contracts/http/index.js";
import { ask, Visitor } from "../../contracts/visitor.js";
import { createServer } from "../lib/server.js";

const skip = process.env.CHALLENGE !== "3" && "challenge 3";

const OK = { statusCode: 200, fields: {}, body: "" };
const GET = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

/** What is refused, and with which status. @type {[string, string, number][]} */
const REFUSED = [
  ["bytes that aren't HTTP", "pizza\r\n\r\n", 400],
  ["a request without a host", "GET / HTTP/1.1\r\n\r\n", 400],
  ["a method that nobody knows", GET.replace("GET", "BREW"), 501],
  ["a target that is too long", `GET /${"a".repeat(9000)}`, 414],
];

describe("Challenges", { skip, timeout: 60_000 }, () => {
  for (const [what, bytes, statusCode] of REFUSED) {
    it(`tells of ${what}`, async (t) => {
      const { address, refusals } = await start(t);
      const { status, body } = await ask(address, bytes);
      assert.equal(status, statusCode);
      expectOne(refusals, statusCode, body.toString());
    });
  }

  it("tells of a request that takes too long", async (t) => {
    const { address, refusals } = await start(t, { headTimeout: 100 });
    const { status, body } = await ask(address, "GET / HT");
    assert.equal(status, 408);
    expectOne(refusals, 408, body.toString());
  });

  it("tells of a request that ends in the middle", async (t) => {
    const { address, refusals } = await start(t);
    const visitor = await Visitor.connect(address);
    await visitor.send("GET / HT");
    visitor.halfClose();
    const { body } = await visitor.response();
    expectOne(refusals, 400, body.toString());
  });

  it("tells of it once, whatever comes after it", async (t) => {
    const { address, refusals } = await start(t);
    const visitor = await Visitor.connect(address);
    await visitor.send(`${GET}pizza\r\n\r\npasta\r\n\r\n${GET}`);
    await visitor.end();
    assert.equal(visitor.responses.length, 2);
    expectOne(refusals, 400, visitor.responses[1].body.toString());
  });

  it("has nothing to tell of what it answers", async (t) => {
    const { address, refusals } = await start(t);
    await ask(address, GET);
    assert.deepEqual(refusals, []);
  });

  it("has nothing to tell of a connection that was idle", async (t) => {
    const { address, refusals } = await start(t, { idleTimeout: 100 });
    const visitor = await Visitor.connect(address);
    await visitor.end();
    assert.deepEqual(refusals, []);
  });

  it("refuses as before when the function throws", async (t) => {
    const { address } = await start(t, {}, () => {
      throw new Error("the disk is full");
    });
    const visitor = await Visitor.connect(address);
    await visitor.send("pizza\r\n\r\n");
    const { status } = await visitor.response();
    assert.equal(status, 400);
    assert.equal(await visitor.end(), "closed");
    assert.equal((await ask(address, GET)).status, 200);
  });

  it("lives on when it throws because somebody was late", async (t) => {
    const { address } = await start(t, { headTimeout: 100 }, () => {
      throw new Error("the disk is full");
    });
    const { status } = await ask(address, "GET / HT");
    assert.equal(status, 408);
    assert.equal((await ask(address, GET)).status, 200);
  });

  it("serves without the function too", async (t) => {
    const create = () => createServer(() => OK);
    const address = await startServer(create)({ limits: {} });
    t.after(() => address.close());
    assert.equal((await ask(address, "pizza\r\n\r\n")).status, 400);
  });
});

/**
 * @param {import("node:test").TestContext} t
 * @param {any} [limits]
 * @param {() => void} [then] what onRefusal does
 */
async function start(t, limits, then = () => {}) {
  /** @type {Record<string, unknown>[]} */
  const refusals = [];
  /** @type {any} */
  const options = { limits };
  options.onRefusal = (refusal) => {
    refusals.push(refusal);
    then();
  };
  const create = () => createServer(() => OK, options);
  const address = await startServer(create)({ limits: {} });
  t.after(() => address.close());
  return { address, refusals };
}

/**
 * @param {Record<string, unknown>[]} refusals
 * @param {number} statusCode
 * @param {string} answer what the client was told
 */
function expectOne(refusals, statusCode, answer) {
  assert.equal(refusals.length, 1, "so many refusals were told of");
  const [refusal] = refusals;
  assert.equal(refusal.statusCode, statusCode);
  assert.equal(refusal.message, answer.trim());
  assert.match(String(refusal.address), /^(::1|(::ffff:)?127\.0\.0\.1)$/);
}

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { Program } from "../../contracts/program.js";
import { Visitor } from "../../contracts/visitor.js";

const skip = process.env.CHALLENGE !== "1" && "challenge 1";

const GET = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

describe("Challenges", { skip }, () => {
  /** @type {Program} */
  let server;
  before(async () => {
    server = await Program.start(new URL("..", import.meta.url));
  });
  after(() => server?.close());

  it("numbers the answers on a connection", async () => {
    const visitor = await Visitor.connect(server);
    for (const number of ["1", "2", "3"]) {
      await visitor.send(GET);
      const response = await visitor.response(Number(number));
      assert.equal(numberOf(response), number);
    }
    visitor.leave();
  });

  it("numbers the answers to requests that come together", async () => {
    const visitor = await Visitor.connect(server);
    await visitor.send(GET + GET + GET);
    await visitor.response(3);
    const numbers = visitor.responses.map(numberOf);
    assert.deepEqual(numbers, ["1", "2", "3"]);
    visitor.leave();
  });

  it("counts a request that comes in pieces once", async () => {
    const visitor = await Visitor.connect(server);
    await visitor.sendByteByByte(GET + GET);
    await visitor.response(2);
    assert.deepEqual(visitor.responses.map(numberOf), ["1", "2"]);
    visitor.leave();
  });

  it("counts two connections for themselves", async () => {
    const one = await Visitor.connect(server);
    const other = await Visitor.connect(server);
    for (const number of ["1", "2", "3"]) {
      for (const visitor of [one, other]) {
        await visitor.send(GET);
        const response = await visitor.response(Number(number));
        assert.equal(numberOf(response), number);
      }
    }
    one.leave();
    other.leave();
  });

  it("numbers a refusal too", async () => {
    const visitor = await Visitor.connect(server);
    await visitor.send(`${GET}${GET}pizza\r\n\r\n`);
    const refusal = await visitor.response(3);
    assert.equal(refusal.status, 400);
    assert.equal(numberOf(refusal), "3");
  });
});

/** @param {import("../../contracts/visitor.js").Response} response */
function numberOf({ fields }) {
  return fields.get("x-request-number")?.join(", ");
}

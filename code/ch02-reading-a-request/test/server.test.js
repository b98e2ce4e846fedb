import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import {
  exchange,
  httpContract,
  startProgram,
} from "../../contracts/http/index.js";
import { Visitor } from "../../contracts/visitor.js";

const start = startProgram(new URL("..", import.meta.url));
const contract = httpContract({ start, until: 2 });

describe("The parts have names", () => {
  contract.check({ group: "methods and versions", status: 200 });
  contract.check({ group: "targets", status: 200 });
});

describe("Not everything is HTTP", () => {
  contract.check({ group: "methods and versions", status: 400 });
  contract.check({ group: "targets", status: 400 });
});

describe("Fields, and a name that isn't yours", () => {
  contract.check({ group: "fields" });
});

describe("Zoë", () => {
  /** @type {import("../../contracts/http/start.js").RunningServer} */
  let server;
  before(async () => {
    server = await start({ limits: {} });
  });
  after(() => server?.close());

  for (const body of ["Ada", "Zoë", "naïve café ☕", "𝄞"]) {
    it(`counts the bytes of ${body}`, async () => {
      const bytes = Buffer.from(
        "POST / HTTP/1.1\r\nHost: a\r\n" +
          `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      );
      const { responses } = await exchange(server, bytes, { responses: 1 });
      assert.equal(JSON.parse(responses[0].body.toString()).body, body);
    });
  }
});

describe("The connection stays", () => {
  contract.checkTheRest();

  it("takes close with a no-break space for another word", async (t) => {
    const visitor = await visit(t);
    await visitor.send(
      "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\xa0\r\n\r\n",
    );
    const { fields } = await visitor.response();
    assert.deepEqual(fields.get("connection"), ["keep-alive"]);
  });
});

describe("Forty milliseconds", () => {
  it("doesn't let a body wait for the client's acknowledgement", async (t) => {
    const visitor = await visit(t);
    const times = [];
    for (let count = 1; count <= 15; count++) {
      const start = performance.now();
      await visitor.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
      await visitor.response(count);
      times.push(performance.now() - start);
    }
    const [median] = times.sort((a, b) => a - b).slice(7);
    assert.ok(
      median < 25,
      `half of 15 answers on a connection took ${median.toFixed(1)} ms or more`,
    );
  });
});

/** @param {import("node:test").TestContext} t */
async function visit(t) {
  const server = await start({ limits: {} });
  t.after(() => server.close());
  const visitor = await Visitor.connect(server);
  t.after(() => visitor.leave());
  return visitor;
}

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import {
  exchange,
  httpContract,
  startProgram,
} from "../../contracts/http/index.js";

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
});

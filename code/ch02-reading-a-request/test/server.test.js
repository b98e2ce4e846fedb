import assert from "node:assert/strict";
import { once } from "node:events";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import {
  exchange,
  httpContract,
  startProgram,
} from "../../contracts/http/index.js";
import { Program } from "../../contracts/program.js";
import { ask, Visitor } from "../../contracts/visitor.js";

const start = startProgram(new URL("..", import.meta.url));
const contract = httpContract({ start, until: 2 });

describe("The parts have names", () => {
  contract.check({ group: "methods and versions", status: 200 });
  contract.check({ group: "targets", status: 200 });
});

describe("Not everything is HTTP", () => {
  contract.check({ group: "methods and versions", status: 400 });
  contract.check({ group: "targets", status: 400 });

  const complaints = [
    ["pizza", "a request line ends in HTTP/1.1"],
    ["I would like a pizza", "a request line ends in HTTP/1.1"],
    ["HTTP/1.1", "a request line has two spaces"],
    ["GET HTTP/1.1", "a request line has two spaces"],
    ["(GET) / HTTP/1.1", "a method is a token"],
    ["GET  HTTP/1.1", "a target is visible ASCII without #"],
    ["GET /a b HTTP/1.1", "a target is visible ASCII without #"],
    ["GET /a#b HTTP/1.1", "a target is visible ASCII without #"],
  ];
  for (const [line, complaint] of complaints) {
    it(`says of ${line} that ${complaint}`, async (t) => {
      const visitor = await visit(t);
      await visitor.send(`${line}\r\n\r\n`);
      const { body } = await visitor.response();
      assert.equal(body.toString(), `${complaint}\n`);
    });
  }
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

  const lastRequests = [
    "GET /one HTTP/1.1\r\nConnection: close\r\n\r\n",
    "pizza\r\n\r\n",
  ];
  for (const request of lastRequests) {
    it(`handles nothing after ${JSON.stringify(request)}`, async (t) => {
      const server = await startWithLog(t);
      const options = { port: server.port, allowHalfOpen: true };
      const socket = connect(options).resume();
      socket.write(request);
      await once(socket, "end");
      socket.end("DELETE /two HTTP/1.1\r\n\r\n");
      await once(socket, "close");
      await ask(server, "GET /three HTTP/1.1\r\n\r\n");
      const lines = await server.linesUntil((all) =>
        all.includes("/three"),
      );
      assert.ok(!lines.includes("/two"), `it handled ${lines.join(", ")}`);
    });
  }
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

/**
 * A server whose handler prints the targets that it was asked for.
 *
 * @param {import("node:test").TestContext} t
 */
async function startWithLog(t) {
  const folder = await mkdtemp(join(tmpdir(), "velocy-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const milestone = fileURLToPath(new URL("..", import.meta.url));
  for (const name of ["package.json", "server.js", "lib"]) {
    await cp(join(milestone, name), join(folder, name), {
      recursive: true,
    });
  }
  await writeFile(join(folder, "lib/describe-request.js"), HANDLER);
  const server = await Program.start(folder);
  t.after(() => server.close());
  return server;
}

const HANDLER = `
  export function describeRequest({ target }) {
    console.log(target);
    return { statusCode: 200, fields: {}, body: "" };
  }
`;

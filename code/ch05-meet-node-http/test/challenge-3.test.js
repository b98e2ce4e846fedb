import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { Program } from "../../contracts/program.js";
import { ask, Visitor } from "../../contracts/visitor.js";

const skip = process.env.CHALLENGE !== "3" && "challenge 3";

const GET = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
const CHUNKED =
  "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";

/** What a client does wrong. @type {[string, string, number][]} */
const WRONGS = [
  [
    "many fields",
    GET.replace("\r\n\r\n", "\r\nX-Many: fields".repeat(2000)),
    431,
  ],
  [
    "a long field",
    GET.replace("\r\n\r\n", `\r\nX: ${"y".repeat(20000)}`),
    431,
  ],
  ["long chunk extensions", `${CHUNKED}1;${"x".repeat(20000)}`, 413],
  ["bytes that aren't HTTP", "pizza\r\n\r\n", 400],
  ["a space before a colon", "GET / HTTP/1.1\r\nHost : x\r\n\r\n", 400],
  [
    "two lengths",
    `${GET.slice(0, -2)}${"Content-Length: 1\r\n".repeat(2)}\r\n`,
    400,
  ],
];

describe("Challenges", { skip, timeout: 60_000 }, () => {
  /** @type {Program} */
  let server;
  before(async () => {
    server = await Program.start(new URL("..", import.meta.url));
  });
  after(() => server?.close());

  for (const [what, bytes, status] of WRONGS) {
    it(`answers ${what} with ${status} and a sentence`, async () => {
      await expectRefusal(server, bytes, status);
    });
  }

  it("answers 408 when the head or the body takes too long", async (t) => {
    const patch = new URL(
      "../../contracts/impatient-http.js",
      import.meta.url,
    );
    const { NODE_OPTIONS = "" } = process.env;
    const impatient = await Program.start(
      new URL("..", import.meta.url),
      "server.js",
      { NODE_OPTIONS: `${NODE_OPTIONS} --import=${patch}` },
    );
    t.after(() => impatient.close());
    await expectRefusal(impatient, "GET / HT", 408);
    const head = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n";
    await expectRefusal(impatient, `${head}hello`, 408);
  });

  it("lives on when the one who was wrong has gone", async () => {
    for (const bytes of ["GET / HT", "pizza\r\n\r\n"]) {
      for (let count = 0; count < 5; count++) {
        const visitor = await Visitor.connect(server);
        await visitor.send(bytes);
        visitor.reset();
      }
    }
    const { status } = await ask(server, GET);
    assert.equal(status, 200);
  });

  it("answers what is right as before", async () => {
    const { status, body } = await ask(server, GET);
    assert.equal(status, 200);
    assert.equal(JSON.parse(body.toString()).target, "/");
  });
});

/**
 * @param {Program} server
 * @param {string} bytes
 * @param {number} status
 */
async function expectRefusal(server, bytes, status) {
  const visitor = await Visitor.connect(server);
  await visitor.send(bytes);
  const response = await visitor.response();
  const { fields, body } = response;
  assert.equal(response.status, status);
  assert.equal(fields.get("content-length")?.join(), `${body.length}`);
  const [date] = fields.get("date") ?? [];
  assert.match(date, /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/);
  assert.ok(Math.abs(Date.now() - Date.parse(date)) < 5000, date);
  assert.match(body.toString(), /\w/, "it says what is wrong");
  await visitor.end();
}

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import {
  add,
  database,
  goServer,
  NO_GO,
  NO_POSTGRES,
  nodeServer,
  query,
} from "./rig.js";

const ADA = { email: "ada@example.org", password: "correct horse" };

/** @type {[what: string, body: unknown][]} */
const REFUSED = [
  ["no JSON", "{"],
  ["no password", { email: "ada@example.org" }],
  ["an email that is empty", { ...ADA, email: "" }],
  ["an email that is a number", { ...ADA, email: 1 }],
  ["an email of 256 characters", { ...ADA, email: "a".repeat(256) }],
  ["a password with U+0000", { ...ADA, password: "a\0b" }],
  ["null", "null"],
];

/**
 * The chapter's table of what the two don't answer alike.
 *
 * @type {[what: string, body: string, type: string, node: number, go: number][]}
 */
const DIFFERS = [
  [
    "names in capitals",
    '{"EMAIL":"a","PASSWORD":"b"}',
    "application/json",
    400,
    201,
  ],
  [
    "something behind the JSON",
    `${JSON.stringify(ADA)} xx`,
    "application/json",
    400,
    201,
  ],
  [
    "a short user and 1,000 spaces",
    `${JSON.stringify(ADA)}${" ".repeat(1_000)}`,
    "application/json",
    413,
    201,
  ],
  [
    "JSON that says it is text",
    JSON.stringify(ADA),
    "text/plain",
    415,
    201,
  ],
  [
    "2,000 bytes",
    JSON.stringify({ ...ADA, more: "a".repeat(2_000) }),
    "application/json",
    413,
    400,
  ],
  [
    "half of a surrogate pair",
    '{"email":"a\\ud800","password":"b"}',
    "application/json",
    400,
    201,
  ],
  [
    "an email of 130 é",
    JSON.stringify({ ...ADA, email: "é".repeat(130) }),
    "application/json",
    201,
    400,
  ],
];

/**
 * What each of the servers has to do.
 *
 * @param {string} name
 * @param {typeof nodeServer | typeof goServer} start
 * @param {Record<string, string>} [env]
 */
function testServer(name, start, env) {
  describe(name, () => {
    /** @type {(() => unknown)[]} */
    const ends = [];
    const all = {
      after: (/** @type {() => unknown} */ fn) => void ends.unshift(fn),
    };
    let url = "";
    let port = 0;
    before(async () => {
      ({ url } = await database(all));
      ({ port } = await start(all, { DATABASE_URL: url, ...env }));
    });
    after(async () => {
      for (const end of ends) await end();
    });

    it("adds a user and says where it is", async () => {
      const res = await add(port, ADA);
      assert.equal(res.status, 201);
      assert.equal(res.headers.get("content-type"), "application/json");
      const { id } = /** @type {any} */ (await res.json());
      assert.equal(res.headers.get("location"), `/user/${id}`);
      const rows = await query(
        url,
        `SELECT email, password FROM users WHERE id = ${id}`,
      );
      assert.deepEqual(rows, [ADA]);
    });

    it("keeps a quote that would end a statement", async () => {
      const email = "'); DROP TABLE users; --";
      const res = await add(port, { ...ADA, email });
      const { id } = /** @type {any} */ (await res.json());
      const rows = await query(
        url,
        `SELECT email FROM users WHERE id = ${id}`,
      );
      assert.deepEqual(rows, [{ email }]);
    });

    it("takes more at once than it has connections", async () => {
      const answers = await Promise.all(
        Array.from({ length: 200 }, () => add(port, ADA)),
      );
      const ids = await Promise.all(
        answers.map(
          async (res) => /** @type {any} */ (await res.json()).id,
        ),
      );
      assert.equal(new Set(ids).size, 200);
    });

    for (const [what, body] of REFUSED) {
      it(`refuses ${what} with 400`, async () => {
        const [{ count }] = await query(url, "SELECT count(*) FROM users");
        const res = await add(port, body);
        await res.text();
        assert.equal(res.status, 400);
        assert.deepEqual(await query(url, "SELECT count(*) FROM users"), [
          { count },
        ]);
      });
    }

    for (const [what, body, type, node, go] of DIFFERS) {
      const status = start === goServer ? go : node;
      it(`answers ${what} with ${status}`, async () => {
        const res = await fetch(`http://127.0.0.1:${port}/user`, {
          method: "POST",
          headers: { "content-type": type },
          body,
        });
        await res.text();
        assert.equal(res.status, status);
      });
    }
  });
}

describe("One route", { skip: NO_POSTGRES }, () => {
  testServer("on node:http", nodeServer);
  testServer("on velocy's engine", nodeServer, { ENGINE: "own" });
});

describe("The same in Go", { skip: NO_GO }, () => {
  testServer("in Go", goServer);
});

describe("The database goes away", { skip: NO_POSTGRES }, () => {
  it("answers 500 without a database, says why, and goes on when it is back", async (t) => {
    const first = await database({ after() {} });
    const server = await nodeServer(t, { DATABASE_URL: first.url });
    const good = await add(server.port, ADA);
    assert.equal(good.status, 201);
    await first.stop();
    const [line] = await server.linesUntil((lines) => lines.length > 0);
    assert.match(line, /^database: /);
    const bad = await add(server.port, ADA);
    assert.equal(bad.status, 500);
    assert.doesNotMatch(await bad.text(), /ECONNREFUSED|5432|postgres/);
  });
});

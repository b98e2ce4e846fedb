import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { inject } from "velocy";
import { createRouter } from "../users.js";
import { database, NO_POSTGRES, query } from "./rig.js";

const skip = process.env.CHALLENGE !== "2" && "challenge 2";

/** @param {string} url @param {import("node:test").TestContext} t */
async function countingPool(t, url) {
  const { Pool } = (await import("pg")).default;
  const pool = new Pool({ connectionString: url, max: 4 });
  pool.on("error", () => {});
  t.after(() => pool.end());
  const counts = { statements: 0 };
  const wrapped = {
    /** @param {any} words */
    query(...words) {
      counts.statements += 1;
      return pool.query(.../** @type {[any]} */ (words));
    },
  };
  return { pool: /** @type {any} */ (wrapped), counts };
}

/** @param {any} router @param {unknown} user */
function add(router, user) {
  return inject(router, {
    method: "POST",
    target: "/user",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(user),
  });
}

describe("Challenges", { skip: skip || NO_POSTGRES }, () => {
  it("adds many users by few statements, each under its own id", async (t) => {
    const { url, stop } = await database({ after() {} });
    const { pool, counts } = await countingPool(t, url);
    t.after(stop);
    const router = createRouter(pool);
    const emails = Array.from(
      { length: 100 },
      (_, i) => `user-${i}@example.org`,
    );
    const ids = await Promise.all(
      emails.map(async (email) => {
        const { statusCode, body } = await add(router, {
          email,
          password: "x",
        });
        assert.equal(statusCode, 201);
        return JSON.parse(String(body)).id;
      }),
    );
    assert.ok(counts.statements <= 20, `${counts.statements} statements`);
    const rows = await query(url, "SELECT id, email FROM users");
    const emailOf = new Map(rows.map(({ id, email }) => [id, email]));
    assert.deepEqual(
      ids.map((id) => emailOf.get(id)),
      emails,
    );
  });

  it("tells all of them when it fails, and goes on", async () => {
    let fails = true;
    const pool = {
      async query() {
        if (fails) throw new Error("no database");
        return { rows: [{ id: 7 }] };
      },
    };
    const router = createRouter(/** @type {any} */ (pool));
    const user = { email: "ada@example.org", password: "x" };
    const bad = await Promise.all([1, 2, 3].map(() => add(router, user)));
    assert.deepEqual(
      bad.map(({ statusCode }) => statusCode),
      [500, 500, 500],
    );
    fails = false;
    const good = await add(router, user);
    assert.equal(good.statusCode, 201);
  });
});

import assert from "node:assert/strict";
import { once } from "node:events";
import http from "node:http";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { add, database, NO_POSTGRES, nodeServer, query } from "./rig.js";

const skip = process.env.CHALLENGE !== "3" && "challenge 3";

/**
 * Holds the users' table, so that each `INSERT` waits.
 *
 * @param {string} url
 */
async function hold(url) {
  const { Client } = (await import("pg")).default;
  const client = new Client({ connectionString: url });
  // A test that fails ends the database while this one is still connected.
  client.on("error", () => {});
  await client.connect();
  await client.query("BEGIN");
  await client.query("LOCK TABLE users IN EXCLUSIVE MODE");
  return async () => {
    await client.query("COMMIT");
    await client.end();
  };
}

/** @param {string} url */
async function somebodyWaits(url) {
  for (;;) {
    const waiting = await query(
      url,
      "SELECT 1 FROM pg_locks WHERE NOT granted",
    );
    if (waiting.length > 0) return;
    await sleep(20);
  }
}

/**
 * Two more requests, one after the other: what was sent before them has been
 * read when they are answered.
 *
 * @param {number} port
 */
async function allIsRead(port) {
  for (let i = 0; i < 2; i += 1) {
    const answer = await fetch(`http://127.0.0.1:${port}/`);
    assert.equal(answer.status, 404);
    await answer.text();
  }
}

describe("Challenges", { skip: skip || NO_POSTGRES }, () => {
  it("doesn't write a user whose client left while it waited", async (t) => {
    const { url } = await database({ after: (end) => t.after(end) });
    const server = await nodeServer(t, { DATABASE_URL: url, POOL: "1" });
    const addUser = (/** @type {string} */ name) =>
      add(server.port, { email: `${name}@example.org`, password: "x" });
    await addUser("first");
    const letGo = await hold(url);
    const staying = addUser("staying");
    await somebodyWaits(url);
    const leaving = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const req = http.request({
          port: server.port,
          path: "/user",
          method: "POST",
          headers: { "content-type": "application/json" },
        });
        req.on("error", () => {});
        req.end(
          JSON.stringify({ email: "gone@example.org", password: "x" }),
        );
        await once(req, "finish");
        return req;
      }),
    );
    await allIsRead(server.port);
    for (const req of leaving) req.destroy();
    await allIsRead(server.port);
    await letGo();
    assert.equal((await staying).status, 201);
    assert.equal((await addUser("last")).status, 201);
    const rows = await query(url, "SELECT email FROM users ORDER BY id");
    const names = rows.map(({ email }) => email.split("@")[0]);
    assert.deepEqual(names, ["first", "staying", "last"]);
  });
});

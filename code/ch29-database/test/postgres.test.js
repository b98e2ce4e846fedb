import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { freePort } from "../../contracts/port.js";
import { startPostgres } from "../postgres.js";
import { database, NO_POSTGRES } from "./rig.js";

/**
 * Postgres's programs read their settings from the environment.
 *
 * @param {import("node:test").TestContext} t
 * @param {string} name
 * @param {string} value
 */
function setting(t, name, value) {
  const before = process.env[name];
  process.env[name] = value;
  t.after(() => {
    if (before === undefined) delete process.env[name];
    else process.env[name] = before;
  });
}

describe("A database to throw away", { skip: NO_POSTGRES }, () => {
  it("has a table, whatever database is yours", async (t) => {
    setting(t, "PGDATABASE", "mine");
    await database(t);
  });

  it("is gone when it can't have its table", async (t) => {
    setting(t, "PGOPTIONS", "-c default_transaction_read_only=on");
    const port = await freePort();
    const first = startPostgres({ port, fsync: false });
    await assert.rejects(first, /read-only/);
    delete process.env.PGOPTIONS;
    // The port is free again.
    const second = await startPostgres({ port, fsync: false });
    await second.stop();
  });

  it("may be stopped twice", async () => {
    const port = await freePort();
    const { stop } = await startPostgres({ port, fsync: false });
    await Promise.all([stop(), stop()]);
  });
});

import assert from "node:assert/strict";
import { once } from "node:events";
import http from "node:http";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { delayed } from "../delay.js";
import { add, database, NO_POSTGRES, nodeServer, query } from "./rig.js";

const skip = process.env.CHALLENGE !== "3" && "challenge 3";
const USER = { email: "gone@example.org", password: "x" };

describe("Challenges", { skip: skip || NO_POSTGRES }, () => {
  it("doesn't write a user whose client left while it waited", async (t) => {
    const { url, port } = await database({ after: (end) => t.after(end) });
    // Each statement takes 400 ms, on the only connection.
    const proxy = delayed(port, 200).listen(0, "127.0.0.1");
    t.after(() => proxy.close());
    await once(proxy, "listening");
    const way = /** @type {import("node:net").AddressInfo} */ (
      proxy.address()
    ).port;
    const DATABASE_URL = `postgres://postgres@127.0.0.1:${way}/`;
    const server = await nodeServer(t, { DATABASE_URL, POOL: "1" });
    await add(server.port, { email: "first@example.org", password: "x" });
    const staying = add(server.port, {
      email: "staying@example.org",
      password: "x",
    });
    const leaving = Array.from({ length: 5 }, () => {
      const req = http.request({
        port: server.port,
        path: "/user",
        method: "POST",
        headers: { "content-type": "application/json" },
      });
      req.on("error", () => {});
      req.end(JSON.stringify(USER));
      return req;
    });
    await sleep(150);
    for (const req of leaving) req.destroy();
    assert.equal((await staying).status, 201);
    const last = await add(server.port, {
      email: "last@example.org",
      password: "x",
    });
    assert.equal(last.status, 201);
    const rows = await query(url, "SELECT email FROM users ORDER BY id");
    const names = rows.map(({ email }) => email.split("@")[0]);
    assert.deepEqual(names, ["first", "staying", "last"]);
  });
});

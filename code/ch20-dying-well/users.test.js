import assert from "node:assert/strict";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { test } from "node:test";
import { createServer, inject } from "velocy";
import { makeApp } from "./app.js";

test("finds a user", async () => {
  const answer = await inject(makeApp(), { target: "/users/7" });
  assert.equal(answer.json().name, "Ada");
});

test("adds a user", async () => {
  const answer = await inject(makeApp(), {
    method: "POST",
    target: "/users",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ id: "☃", name: "Olaf" }),
  });
  assert.equal(answer.statusCode, 201);
  assert.equal(answer.headers.location, "/users/%E2%98%83");
});

test("answers on a port", async (t) => {
  const server = createServer(makeApp()).listen(0, "127.0.0.1");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, "listening");
  const { port } = server.address();
  const answer = await fetch(`http://127.0.0.1:${port}/users/7`);
  assert.equal(answer.status, 200);
});

test("gives up on a report after a minute", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const reached = new Promise((resolve) => {
    const tell = ({ req }) => resolve(req);
    subscribe("velocy:request:route", tell);
    t.after(() => unsubscribe("velocy:request:route", tell));
  });
  const answer = inject(makeApp(), { target: "/report" });
  const { signal } = await reached;
  t.mock.timers.tick(59_999);
  assert.equal(signal.aborted, false);
  t.mock.timers.tick(1);
  assert.equal((await answer).statusCode, 503);
});

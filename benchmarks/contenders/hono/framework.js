// Three middleware that do nothing, and Hono's own way to answer with JSON.
import { serve } from "@hono/node-server";
import { Hono } from "hono";

const app = new Hono();

for (let count = 0; count < 3; count++) {
  app.use(async (_c, next) => {
    await next();
  });
}

app.get("/bench/:name", (c) =>
  c.json({ name: c.req.param("name"), id: c.req.query("id") ?? null }),
);

serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 3000) }, ({ port }) => {
  console.log(`listening on http://localhost:${port}`);
});

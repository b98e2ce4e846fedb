import { serve } from "@hono/node-server";
import { Hono } from "hono";

const app = new Hono();

app.get("/bench/:name", (c) => {
  const body = JSON.stringify({ name: c.req.param("name"), id: c.req.query("id") ?? null });
  return c.body(body, 200, {
    "x-powered-by": "benchmark",
    "content-type": "application/json",
    connection: "keep-alive",
    "keep-alive": "timeout=5",
    "content-length": String(Buffer.byteLength(body)),
  });
});

serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 3000) }, ({ port }) => {
  console.log(`listening on http://localhost:${port}`);
});

// The same as server.js, on Bun.
import { Hono } from "hono";

const app = new Hono();

app.get("/bench/:name", (c) => {
  const body = JSON.stringify({ name: c.req.param("name"), id: c.req.query("id") ?? null });
  return c.body(body, 200, {
    "x-powered-by": "benchmark",
    "content-type": "application/json",
    connection: "keep-alive",
    "keep-alive": "timeout=5",
  });
});

const server = Bun.serve({
  fetch: app.fetch,
  port: Number(process.env.PORT ?? 3000),
  reusePort: process.env.REUSE_PORT === "1",
});

console.log(`listening on http://localhost:${server.port}`);

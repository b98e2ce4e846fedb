// The same, but it says that the connection closes: Bun closes it when the client
// asked for that, and doesn't say so itself.
import { Elysia } from "elysia";

const headers = {
  "x-powered-by": "benchmark",
  "content-type": "application/json",
  connection: "close",
};

const app = new Elysia()
  .get("/bench/:name", ({ params, query }) => {
    const body = JSON.stringify({ name: params.name, id: query.id ?? null });
    return new Response(body, { headers });
  })
  .listen({
    port: Number(process.env.PORT ?? 3000),
    reusePort: process.env.REUSE_PORT === "1",
  });

console.log(`listening on http://localhost:${app.server.port}`);

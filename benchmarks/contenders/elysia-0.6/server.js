import { Elysia } from "elysia";

const headers = {
  "x-powered-by": "benchmark",
  "content-type": "application/json",
  connection: "keep-alive",
  "keep-alive": "timeout=5",
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

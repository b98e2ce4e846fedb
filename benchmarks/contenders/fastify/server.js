// Fastify's router, and an answer by hand: past its own reply, as the
// program of 2023 does it.
import Fastify from "fastify";

const app = Fastify();

app.get("/bench/:name", (request, reply) => {
  const body = JSON.stringify({ name: request.params.name, id: request.query.id ?? null });
  reply.hijack();
  reply.raw.writeHead(200, {
    "x-powered-by": "benchmark",
    "content-type": "application/json",
    connection: "keep-alive",
    "keep-alive": "timeout=5",
    "content-length": Buffer.byteLength(body),
  });
  reply.raw.end(body);
});

await app.listen({ port: Number(process.env.PORT ?? 3000), host: "0.0.0.0" });
console.log(`listening on http://localhost:${app.server.address().port}`);

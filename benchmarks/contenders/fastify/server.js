import Fastify from "fastify";

const app = Fastify();

app.get("/bench/:name", (request, reply) => {
  const body = JSON.stringify({ name: request.params.name, id: request.query.id ?? null });
  // As a Buffer: to a string's content type Fastify adds the charset.
  reply
    .headers({
      "x-powered-by": "benchmark",
      "content-type": "application/json",
      connection: "keep-alive",
      "keep-alive": "timeout=5",
    })
    .send(Buffer.from(body));
});

await app.listen({ port: Number(process.env.PORT ?? 3000), host: "0.0.0.0" });
console.log(`listening on http://localhost:${app.server.address().port}`);

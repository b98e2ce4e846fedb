// As Fastify's documentation writes it: an object that is returned, and the
// schema of the response, from which Fastify makes the function that writes
// the JSON.
import { readFileSync } from "node:fs";
import Fastify from "fastify";

const large = `${"wire ".repeat(12)}end\n`.repeat(1024);

const { FILES, TLS_KEY, TLS_CERT, PORT = "3000" } = process.env;
const app = Fastify({
  // What node:http has, and the others with it; Fastify's own is 72 s.
  keepAliveTimeout: 5_000,
  ...(TLS_KEY ? { https: { key: readFileSync(TLS_KEY), cert: readFileSync(TLS_CERT) } } : {}),
});

const name = { type: "string" };
const id = { type: ["string", "null"] };
const tags = { type: "integer" };

const found = { response: { 200: { type: "object", properties: { name, id } } } };
const made = { response: { 200: { type: "object", properties: { name, id, tags } } } };

app.get("/bench/:name", { schema: found }, async (request, reply) => {
  reply.header("x-powered-by", "benchmark");
  return { name: request.params.name, id: request.query.id ?? null };
});

app.post("/bench", { schema: made }, async (request, reply) => {
  const { body } = request;
  reply.header("x-powered-by", "benchmark");
  return { name: body.name, id: body.id ?? null, tags: body.tags.length };
});

app.get("/large", async (_request, reply) => {
  reply.header("x-powered-by", "benchmark").type("text/plain");
  return large;
});

// Who isn't asked for files doesn't load what serves them.
if (FILES) app.register(import("@fastify/static"), { root: FILES, prefix: "/files/" });

await app.listen({ port: Number(PORT), host: "0.0.0.0" });
console.log(`listening on http://localhost:${app.server.address().port}`);

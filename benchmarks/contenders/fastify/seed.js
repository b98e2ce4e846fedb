// Chapter 27's mended server, on Fastify: the article of 2018 had it beside
// restify.
import Fastify from "fastify";

const milestone = new URL("../../../code/ch27-keeping-node-fast/", import.meta.url);
const { fetchContent, timestamp } = await import(new URL("seed.js", milestone).href);
const { tags } = await import(new URL("tags.js", milestone).href);

const app = Fastify();
const tag = tags();

app.get("/seed/:version", async (request, reply) => {
  const data = await fetchContent(request.url);
  if (data === undefined) return reply.code(404).send();
  const value = { data, url: request.url, ts: timestamp() };
  tag(app.server, request.url, { setHeader: (name, text) => reply.header(name, text) });
  app.server.emit("answered", request.url, value);
  return value;
});

await app.listen({ port: Number(process.env.PORT ?? 3000), host: "0.0.0.0" });
console.log(`listening on http://localhost:${app.server.address().port}`);

// As Elysia's documentation writes it: a value that is returned, and field
// lines through `set`. Bun sends none about the connection by itself: what
// the others say is said here, so that all answers have the same.
import { Elysia } from "elysia";

const large = `${"wire ".repeat(12)}end\n`.repeat(1024);

const { FILES, TLS_KEY, TLS_CERT, CLOSING, REUSE_PORT, PORT = "3000" } = process.env;

function say(headers) {
  headers["x-powered-by"] = "benchmark";
  headers.connection = CLOSING ? "close" : "keep-alive";
  if (!CLOSING) headers["keep-alive"] = "timeout=5";
}

const app = new Elysia()
  .get("/bench/:name", ({ params, query, set }) => {
    say(set.headers);
    return { name: params.name, id: query.id ?? null };
  })
  .post("/bench", ({ body, set }) => {
    say(set.headers);
    return { name: body.name, id: body.id ?? null, tags: body.tags.length };
  })
  .get("/large", ({ set }) => {
    say(set.headers);
    return large;
  });

// Who isn't asked for files doesn't load what serves them.
if (FILES) {
  const { staticPlugin } = await import("@elysiajs/static");
  app.use(await staticPlugin({ assets: FILES, prefix: "/files" }));
}

app.listen({
  port: Number(PORT),
  reusePort: REUSE_PORT === "1",
  ...(TLS_KEY ? { tls: { key: Bun.file(TLS_KEY), cert: Bun.file(TLS_CERT) } } : {}),
});

console.log(`listening on http://localhost:${app.server.port}`);

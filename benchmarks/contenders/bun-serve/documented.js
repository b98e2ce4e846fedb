// As Bun's documentation writes it: `routes`, and Response.json(). Bun sends
// no field lines about the connection by itself: what the others say is said
// here, so that all answers have the same.
import { readdirSync } from "node:fs";

const large = `${"wire ".repeat(12)}end\n`.repeat(1024);

const { FILES, TLS_KEY, TLS_CERT, CLOSING, REUSE_PORT, PORT = "3000" } = process.env;
const headers = {
  "x-powered-by": "benchmark",
  ...(CLOSING ? { connection: "close" } : { connection: "keep-alive", "keep-alive": "timeout=5" }),
};
const textHeaders = { ...headers, "content-type": "text/plain" };

// File routes: each reads its file at every request.
const fileRoutes = Object.fromEntries(
  (FILES ? readdirSync(FILES) : []).map((name) => [
    `/files/${name}`,
    new Response(Bun.file(`${FILES}/${name}`)),
  ]),
);

const server = Bun.serve({
  port: Number(PORT),
  reusePort: REUSE_PORT === "1",
  ...(TLS_KEY ? { tls: { key: Bun.file(TLS_KEY), cert: Bun.file(TLS_CERT) } } : {}),
  routes: {
    "/bench/:name": (req) => {
      const id = new URL(req.url).searchParams.get("id");
      return Response.json({ name: req.params.name, id }, { headers });
    },
    "/bench": {
      POST: async (req) => {
        const { name, id = null, tags } = await req.json();
        return Response.json({ name, id, tags: tags.length }, { headers });
      },
    },
    ...fileRoutes,
    "/large": () => new Response(large, { headers: textHeaders }),
  },
  fetch: () => new Response("Not Found", { status: 404 }),
  // What isn't JSON makes req.json() throw, and is the client's mistake.
  error: (err) => new Response(err.message, { status: err instanceof SyntaxError ? 400 : 500 }),
});

console.log(`listening on http://localhost:${server.port}`);

// The floor for whatever stands on Bun.serve.
const prefix = "/bench/";

/** The value of `id` in a query string, or null. */
function findId(query) {
  for (const pair of query.split("&")) {
    if (pair.startsWith("id=")) return decodeURIComponent(pair.slice(3).replaceAll("+", " "));
  }
  return null;
}

const server = Bun.serve({
  port: Number(process.env.PORT ?? 3000),
  reusePort: process.env.REUSE_PORT === "1",
  fetch({ url }) {
    const pathStart = url.indexOf("/", url.indexOf("://") + 3);
    const question = url.indexOf("?", pathStart);
    const path = url.slice(pathStart, question === -1 ? undefined : question);
    if (!path.startsWith(prefix)) return new Response(null, { status: 404 });
    const body = JSON.stringify({
      name: decodeURIComponent(path.slice(prefix.length)),
      id: question === -1 ? null : findId(url.slice(question + 1)),
    });
    return new Response(body, {
      headers: {
        "x-powered-by": "benchmark",
        "content-type": "application/json",
        connection: "keep-alive",
        "keep-alive": "timeout=5",
      },
    });
  },
});

console.log(`listening on http://localhost:${server.port}`);

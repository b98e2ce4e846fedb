// The floor for whatever stands on node:http: the answer and nothing else.
import { createServer } from "node:http";

const prefix = "/bench/";

/** The value of `id` in a query string, or null. */
function findId(query) {
  for (const pair of query.split("&")) {
    if (pair.startsWith("id=")) return decodeURIComponent(pair.slice(3).replaceAll("+", " "));
  }
  return null;
}

export const server = createServer((req, res) => {
  const question = req.url.indexOf("?");
  const path = question === -1 ? req.url : req.url.slice(0, question);
  if (!path.startsWith(prefix)) {
    res.writeHead(404, { "content-length": 0 });
    res.end();
    return;
  }
  const body = JSON.stringify({
    name: decodeURIComponent(path.slice(prefix.length)),
    id: question === -1 ? null : findId(req.url.slice(question + 1)),
  });
  res.writeHead(200, {
    "x-powered-by": "benchmark",
    "content-type": "application/json",
    connection: "keep-alive",
    "keep-alive": "timeout=5",
    "content-length": Buffer.byteLength(body),
  });
  res.end(body);
});

const port = Number(process.env.PORT ?? 3000);
const reusePort = process.env.REUSE_PORT === "1";
server.listen({ port, reusePort }, () => {
  console.log(`listening on http://localhost:${server.address().port}`);
});

// The engine of chapter 22 without a router: what its requests and responses
// cost by themselves.
import { Router } from "velocy";
import { createServer } from "velocy/engine";

const prefix = "/bench/";

/** The value of `id` in a query string, or null. */
function findId(query) {
  for (const pair of query.split("&")) {
    if (pair.startsWith("id=")) return decodeURIComponent(pair.slice(3).replaceAll("+", " "));
  }
  return null;
}

const server = createServer(new Router());
server.removeAllListeners("request");
server.on("request", (req, res) => {
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
    "content-length": Buffer.byteLength(body),
  });
  res.end(body);
});

server.listen(Number(process.env.PORT ?? 3000), () => {
  console.log(`listening on http://localhost:${server.address().port}`);
});

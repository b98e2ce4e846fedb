// What the suite `framework` measures the others against: the same answer,
// found and written by hand, and nothing said that node:http doesn't say.
import { createServer } from "node:http";

const prefix = "/bench/";

/** The value of `id` in a query string, or null. */
function findId(query) {
  for (const pair of query.split("&")) {
    if (pair.startsWith("id=")) return decodeURIComponent(pair.slice(3).replaceAll("+", " "));
  }
  return null;
}

const server = createServer((req, res) => {
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
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
  });
  res.end(body);
});

server.listen(Number(process.env.PORT ?? 3000), () => {
  console.log(`listening on http://localhost:${server.address().port}`);
});

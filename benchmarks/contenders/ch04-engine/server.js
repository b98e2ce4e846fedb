// The benchmark's endpoint on chapter 4's server. That server writes the
// length, the date and the connection's state by itself.
import { createServer } from "milestone/lib/server.js";

const prefix = "/bench/";

/** The value of `id` in a query string, or null. */
function findId(query) {
  for (const pair of query.split("&")) {
    if (pair.startsWith("id=")) return decodeURIComponent(pair.slice(3).replaceAll("+", " "));
  }
  return null;
}

const server = createServer(({ target }) => {
  const question = target.indexOf("?");
  const path = question === -1 ? target : target.slice(0, question);
  if (!path.startsWith(prefix)) return { statusCode: 404, fields: {}, body: "" };
  return {
    statusCode: 200,
    fields: {
      "x-powered-by": "benchmark",
      "content-type": "application/json",
      "keep-alive": "timeout=5",
    },
    body: JSON.stringify({
      name: decodeURIComponent(path.slice(prefix.length)),
      id: question === -1 ? null : findId(target.slice(question + 1)),
    }),
  };
});

server.listen(Number(process.env.PORT ?? 3000), () => {
  console.log(`listening on http://localhost:${server.address().port}`);
});

// For the milestone of chapter 6, which knows no parameters: one name only.
import { createServer, Router } from "velocy";

const router = new Router();

/** The value of `id` in a query string, or null: queryParams come in chapter 10. */
function findId(query) {
  for (const pair of query.split("&")) {
    if (pair.startsWith("id=")) return decodeURIComponent(pair.slice(3).replaceAll("+", " "));
  }
  return null;
}

function answer(res, name, id) {
  const body = JSON.stringify({ name, id });
  res.writeHead(200, {
    "x-powered-by": "benchmark",
    "content-type": "application/json",
    connection: "keep-alive",
    "keep-alive": "timeout=5",
    "content-length": Buffer.byteLength(body),
  });
  res.end(body);
}

router.get("/bench/testing", (req, res) => {
  const question = req.url.indexOf("?");
  answer(res, "testing", question === -1 ? null : findId(req.url.slice(question + 1)));
});

const server = createServer(router);
server.listen(Number(process.env.PORT ?? 3000), () => {
  console.log(`listening on http://localhost:${server.address().port}`);
});

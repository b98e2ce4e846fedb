// As send's documentation writes it.
import { createServer } from "node:http";
import send from "send";

const server = createServer((req, res) => {
  const { pathname } = new URL(req.url, "http://localhost");
  send(req, pathname, { root: process.env.FILES }).pipe(res);
});

server.listen(Number(process.env.PORT ?? 3000), () => {
  console.log(`listening on http://localhost:${server.address().port}`);
});

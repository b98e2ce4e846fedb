// The "hello, world" that chapter 27's servers are compared with.
import { createServer } from "node:http";

const server = createServer((_req, res) => res.end("hello\n"));

server.listen(Number(process.env.PORT ?? 3000), () => {
  console.log(`listening on http://localhost:${server.address().port}`);
});

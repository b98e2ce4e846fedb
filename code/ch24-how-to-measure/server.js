import { createServer } from "node:http";

const server = createServer((_req, res) => res.end("hello\n"));

if (process.env.STALL) {
  setInterval(() => {
    const end = performance.now() + 100;
    while (performance.now() < end);
  }, 1000);
}

server.listen(Number(process.env.PORT ?? 3000), () => {
  console.log(`listening on http://localhost:${server.address().port}`);
});

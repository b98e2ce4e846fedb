// A server that computes for each request, in a function of its own, as many
// milliseconds of processor time as its path says, or two.
import { createServer } from "node:http";

function compute(milliseconds) {
  const before = process.cpuUsage();
  let used = 0;
  while (used < milliseconds * 1000) {
    const { user, system } = process.cpuUsage(before);
    used = user + system;
  }
}

const server = createServer((req, res) => {
  compute(Number(req.url.slice(1)) || 2);
  res.end("done");
});

server.listen(0, "127.0.0.1", () => {
  console.log(`listening on http://127.0.0.1:${server.address().port}`);
});

// A server that computes for each request as many milliseconds of processor
// time as its path says, or two, and no less by the clock.
import { createServer } from "node:http";

function compute(milliseconds) {
  const before = process.cpuUsage();
  const start = performance.now();
  let sum = 0;
  for (;;) {
    for (let i = 0; i < 50_000; i += 1) sum += Math.sqrt(i);
    const { user, system } = process.cpuUsage(before);
    // Other threads of the process use a core, too.
    const took = performance.now() - start;
    if (Math.min(took, (user + system) / 1000) >= milliseconds) return sum;
  }
}

const server = createServer((req, res) => {
  res.end(`${compute(Number(req.url.slice(1)) || 2)}`);
});

server.listen(0, "127.0.0.1", () => {
  console.log(`listening on http://127.0.0.1:${server.address().port}`);
});

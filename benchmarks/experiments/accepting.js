// When a server under load takes in its last connection, and how long the
// slowest request took: node benchmarks/experiments/accepting.js
import { createServer } from "node:http";
import { performance } from "node:perf_hooks";
import process from "node:process";
import { formatNumber, formatTable } from "../lib/table.js";
import { load, startServer } from "./servers.js";

/** How long the server computes for each answer, in milliseconds. */
const work = 0.08;

/** The server: asked for /when, it tells when the connections since came. */
function serve() {
  /** @type {number[]} */
  let times = [];
  const server = createServer((req, res) => {
    if (req.url === "/when") {
      // The last one is the one that asks.
      const [first, last] = [times[0], times[times.length - 2]];
      times = [];
      res.end(JSON.stringify(last - first));
      return;
    }
    const end = performance.now() + work;
    while (performance.now() < end);
    res.end("hello\n");
  });
  server.on("connection", () => times.push(performance.now()));
  server.listen(Number(process.env.PORT), () => {
    console.log(`listening on http://localhost:${process.env.PORT}`);
  });
}

async function measure() {
  const server = await startServer("experiments/accepting.js", { args: ["serve"] });
  const when = () =>
    fetch(`http://127.0.0.1:${server.port}/when`, { headers: { connection: "close" } });
  try {
    await load(server, { connections: 64, seconds: 2, path: "/" });
    await when();
    const rows = [
      ["connections", "the last was accepted after", "longest latency", "mean latency"],
    ];
    for (const connections of [256, 128, 256, 128]) {
      if (process.stderr.isTTY) console.error(`${connections} connections`);
      const { latency } = await load(server, { connections, seconds: 3, path: "/" });
      const accepted = await (await when()).json();
      rows.push([
        String(connections),
        `${formatNumber(accepted)} ms`,
        `${formatNumber(latency.max)} ms`,
        `${formatNumber(latency.mean)} ms`,
      ]);
    }
    console.log(formatTable(rows, ["right", "right", "right", "right"]));
  } finally {
    await server.stop();
  }
}

if (process.argv[2] === "serve") serve();
else await measure();

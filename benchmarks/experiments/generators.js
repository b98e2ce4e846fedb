// Two generators and one server that counts for itself: what each of them
// says, and what the server saw: node benchmarks/experiments/generators.js
import { createServer } from "node:http";
import { performance } from "node:perf_hooks";
import process from "node:process";
import { parseRewrk, rewrkCommand } from "../lib/rewrk.js";
import { formatNumber, formatTable } from "../lib/table.js";
import { prepareTool } from "../lib/tools.js";
import { parseWrk, wrkCommand } from "../lib/wrk.js";
import { run, startServer } from "./servers.js";

const connections = 256;
const seconds = 4;

/** The server: asked for /counts, it tells what it has counted so far. */
function serve() {
  let requests = 0;
  const server = createServer((req, res) => {
    if (req.url === "/counts") {
      const { loopCount, events } = performance.nodeTiming.uvMetricsInfo;
      const { user, system } = process.cpuUsage();
      res.end(JSON.stringify({ requests, loopCount, events, cpu: user + system }));
      return;
    }
    requests++;
    res.end("hello\n");
  });
  server.listen(Number(process.env.PORT), () => {
    console.log(`listening on http://localhost:${process.env.PORT}`);
  });
}

async function measure() {
  await prepareTool("rewrk", (line) => console.error(line));
  const server = await startServer("experiments/generators.js", { args: ["serve"] });
  const url = `http://127.0.0.1:${server.port}/`;
  const counts = async () => (await fetch(`${url}counts`)).json();
  const load = { url, connections, seconds, threads: 1 };
  const generators = [
    { name: "wrk", command: wrkCommand(load), parse: parseWrk },
    { name: "rewrk", command: rewrkCommand(load), parse: parseRewrk },
  ];
  try {
    await run(wrkCommand({ ...load, seconds: 2 }));
    const rows = [
      ["generator", "says, requests", "in s", "server saw", "CPU us/request", "events a turn"],
    ];
    for (const { name, command, parse } of [...generators, ...generators]) {
      console.error(name);
      const before = await counts();
      const says = parse(await run(command));
      const after = await counts();
      const since = (/** @type {"requests" | "loopCount" | "events" | "cpu"} */ what) =>
        after[what] - before[what];
      rows.push([
        name,
        formatNumber(says.requests),
        formatNumber(says.seconds, 2),
        formatNumber(since("requests")),
        formatNumber(since("cpu") / since("requests"), 1),
        formatNumber(since("events") / since("loopCount"), 1),
      ]);
    }
    console.log(formatTable(rows, ["left", "right", "right", "right", "right", "right"]));
  } finally {
    await server.stop();
  }
}

if (process.argv[2] === "serve") serve();
else await measure();

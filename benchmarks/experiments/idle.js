// What a server that has had nothing to do takes for a request afterwards, by
// version of Node.js: node benchmarks/experiments/idle.js VERSION...
import { createServer } from "node:http";
import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import { formatNumber, formatTable } from "../lib/table.js";
import { installNode, load, startServer } from "./servers.js";

const SHORT = 5;
const LONG = 50;

/** The server: asked for /used, it tells the processor time that it has used. */
function serve() {
  const server = createServer((req, res) => {
    const { user, system } = process.cpuUsage();
    res.end(req.url === "/used" ? `${user + system}` : "hello\n");
  });
  server.listen(Number(process.env.PORT), () => {
    console.log(`listening on http://localhost:${process.env.PORT}`);
  });
}

/**
 * @param {string} node
 * @returns {Promise<string[]>} a row of the table
 */
async function measure(node) {
  const server = await startServer("experiments/idle.js", { args: ["serve"], node });
  const ask = async (/** @type {string} */ path) =>
    (await fetch(`http://127.0.0.1:${server.port}/${path}`)).text();
  const cost = async () => {
    const before = Number(await ask("used"));
    const { requests } = await load(server, { seconds: 1 });
    return formatNumber((Number(await ask("used")) - before) / requests, 1);
  };
  try {
    await load(server, { seconds: 4 });
    const cells = [await cost()];
    for (const pause of [SHORT, LONG]) {
      await delay(pause * 1000);
      cells.push(await cost(), await cost());
    }
    return [...cells, await cost()];
  } finally {
    await server.stop();
  }
}

const versions = process.argv.slice(2);
if (versions[0] === "serve") serve();
else if (versions.length === 0) {
  console.error("which versions? node benchmarks/experiments/idle.js 20.20.2 26.10.0");
  process.exitCode = 1;
} else {
  const rows = [];
  for (const version of versions) {
    console.error(`Node.js ${version}, a minute and a half`);
    rows.push([version, ...(await measure(await installNode(version)))]);
  }
  const after = (/** @type {number} */ pause) => `after ${pause} s`;
  const names = ["Node.js", "at once", after(SHORT), "then", after(LONG), "then", "then"];
  const right = /** @type {const} */ ("right");
  const alignments = names.map((_, index) => (index === 0 ? "left" : right));
  console.log(formatTable([names, ...rows], alignments));
  console.log("\nmicroseconds of CPU time for a request, in one second of load each; 64 connections");
}

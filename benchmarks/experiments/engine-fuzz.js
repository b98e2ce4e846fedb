/**
 * A million cuts through requests, and a hundred thousand requests by chance:
 *
 *     node benchmarks/experiments/engine-fuzz.js [--cuts 1000000]
 *       [--cases 100000] [--seed 22] [--machine NAME]
 *
 * What chapter 22's engine makes of bytes may not depend on where they are
 * cut: it is given each stream whole, and in pieces, half of them through
 * connections in memory, half through sockets. And what it makes of a
 * request by chance has to be what node:http makes of it, or a difference of
 * a kind that is known. Exits with 1 at the first that isn't so, with its
 * bytes; the same seed finds it again.
 */
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import net from "node:net";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import {
  bareServer,
  compareCuts,
  compareOn,
  judgeBySocket,
  makeCase,
  makeJudges,
} from "../../code/contracts/http/engine-fuzz.js";
import { makeRequests } from "../../code/contracts/http/some-requests.js";
import { hashMilestone } from "../lib/contenders.js";
import { describeMachine } from "../lib/machine.js";

const MILESTONE = new URL("../../code/ch22-engine/", import.meta.url);
/** @param {string} file */
const load = (file) => import(new URL(file, MILESTONE).href);
const { createServer: onNodeHttp, Router } = await load("index.js");
const { createServer: onEngine } = await load("lib/engine/index.js");
const { Choices } = await load("lib/testing/choices.js");
const { MemorySocket } = await load("lib/testing/socket.js");

const RESULTS = new URL("../results/", import.meta.url);

/** Connections at a time, where they are sockets. */
const AT_ONCE = 32;
/** Pieces of a stream, at most. */
const PIECES = 60;

/** Requests of each kind; one by chance comes behind them. */
const STREAM = [
  "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
  "\r\nPOST /a?b=c HTTP/1.1\r\nHost: a\r\nContent-Length: 12\r\n\r\nhello,\r\nhi\r\n",
  "HEAD /h HTTP/1.1\r\nHOST: [::1]:80\r\nX: \t a \t\r\nCookie: a=1\r\ncookie: b=2\r\n\r\n",
  "PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nHost: a\r\n\r\n" +
    '5;a="b;c"\r\nhello\r\n1f\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n 12\r\n0\r\nX-Sum: 1\r\n\r\n',
  "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\nx",
  "OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: keep-alive, x\r\n\r\n",
  "GET http://b/c HTTP/1.1\r\nHost: b\r\nX:\x80\xff\r\n\r\n",
].join("");

const { values } = parseArgs({
  options: {
    cuts: { type: "string", default: "1000000" },
    cases: { type: "string", default: "100000" },
    seed: { type: "string", default: "22" },
    machine: { type: "string", default: "local" },
  },
});
const [cuts, cases, seed] = [values.cuts, values.cases, values.seed].map(Number);

/** @param {import("../../code/contracts/http/some-requests.js").Choices} choices @returns {string[]} pieces */
function makeStream(choices) {
  const text = STREAM + makeRequests(choices).toString("latin1");
  const places = Array.from({ length: 1 + choices.below(PIECES) }, () =>
    choices.below(text.length + 1),
  ).sort((a, b) => a - b);
  return [0, ...places].map((start, i) => text.slice(start, places[i]));
}

/**
 * @param {import("../../code/contracts/http/verdict.js").Judge} judge
 * @param {number} count of cuts
 * @param {number} workers at a time
 * @param {number} startSeed
 */
async function cutUp(judge, count, workers, startSeed) {
  const choices = Choices.byChance(startSeed);
  let done = 0;
  let streams = 0;
  let lastShown = 0;
  const work = async () => {
    while (done < count) {
      const pieces = makeStream(choices);
      done += pieces.length - 1;
      streams += 1;
      await compareCuts(judge, pieces).catch((cause) => {
        throw new Error(`cut into ${JSON.stringify(pieces)}`, { cause });
      });
      if (done - lastShown < 100_000) continue;
      lastShown = done;
      console.error(`${done} cuts`);
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
  return { cuts: done, streams };
}

/** @param {ReturnType<typeof makeJudges>} judges */
async function compareAll(judges) {
  const choices = Choices.byChance(seed);
  /** @type {Record<string, number>} */
  const kinds = {};
  for (let i = 1; i <= cases; i += 1) {
    const pieces = makeCase(choices);
    const kind = await compareOn(judges, pieces).catch((cause) => {
      throw new Error(`the bytes ${JSON.stringify(pieces)}`, { cause });
    });
    const name = kind ?? "the same";
    kinds[name] = (kinds[name] ?? 0) + 1;
    if (i % 10_000 === 0) console.error(`${i} requests by chance`);
  }
  return kinds;
}

async function main() {
  const startedAt = new Date().toISOString();
  const judges = makeJudges({ onEngine, onNodeHttp, Router, MemorySocket });
  const inMemory = await cutUp(judges.engine, cuts / 2, 1, seed);

  const server = bareServer(onEngine, Router);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = /** @type {net.AddressInfo} */ (server.address());
  const judge = judgeBySocket(server, async () => {
    const socket = net.connect({ port, host: "127.0.0.1", noDelay: true });
    await once(socket, "connect");
    return socket;
  });
  const bySocket = await cutUp(judge, cuts / 2, AT_ONCE, seed + 1);
  server.closeAllConnections();
  server.close();

  const kinds = await compareAll(judges);
  const result = {
    suite: "engine-fuzz",
    startedAt,
    command: `node benchmarks/experiments/engine-fuzz.js ${process.argv.slice(2).join(" ")}`.trim(),
    node: process.version,
    milestoneHash: hashMilestone(fileURLToPath(MILESTONE)),
    where: describeMachine(),
    seed,
    cuts: { inMemory, bySocket, all: inMemory.cuts + bySocket.cuts, differing: 0 },
    byChance: { cases, kinds },
  };
  const folder = new URL(`${values.machine}/`, RESULTS);
  mkdirSync(folder, { recursive: true });
  const file = new URL("engine-fuzz.json", folder);
  writeFileSync(file, `${JSON.stringify(result, null, 2)}\n`);
  console.error(fileURLToPath(file));
  console.log(JSON.stringify({ cuts: result.cuts, byChance: result.byChance }, null, 2));
}

try {
  await main();
  process.exit();
} catch (err) {
  console.error(err);
  process.exit(1);
}

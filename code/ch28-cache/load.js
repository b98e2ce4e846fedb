import { once } from "node:events";
import { connect } from "node:net";
import { parseArgs } from "node:util";
import { usedBy } from "./cost.js";
import { describe, draw } from "./histogram.js";
import { ways } from "./ways.js";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    requests: { type: "string", short: "n", default: "100000" },
    connections: { type: "string", short: "c", default: "50" },
    seconds: { type: "string", short: "t", default: "60" },
    key: { type: "string", default: "key" },
    delay: { type: "boolean", default: false },
    histogram: { type: "boolean", default: false },
    noreply: { type: "boolean", default: false },
    way: { type: "string", default: "at-once" },
  },
});
const [port] = positionals;
if (port === undefined) throw new Error("load.js needs a port");
const numbers = [values.requests, values.connections, values.seconds];
if (!numbers.every((text) => Number(text) > 0)) {
  throw new Error("-n, -c and -t have to be more than 0");
}
const set = `set ${values.key} 0 0 3\r\nabc\r\n`;
const get = `get ${values.key}\r\n`;
const quiet = `set ${values.key} 0 0 3 noreply\r\nabc\r\n`;

let left = 0;
let end = 0;

/** Says whether one more is to be sent. */
function takeOne() {
  if (left === 0 || performance.now() > end) return false;
  left--;
  return true;
}

async function open() {
  const noDelay = !values.delay;
  const socket = connect({ port: Number(port), noDelay });
  await once(socket, "connect");
  return socket;
}

/** Asks, waits for the end of the answer, and asks again. */
function ask(socket, text, ending, latencies) {
  return new Promise((resolve, reject) => {
    let answer = "";
    let asked = 0;
    function next() {
      if (!takeOne()) return resolve(latencies);
      answer = "";
      asked = performance.now();
      socket.write(text);
    }
    socket.on("data", (bytes) => {
      answer += bytes.latin1Slice();
      if (/^(CLIENT|SERVER)_ERROR/.test(answer)) reject(new Error(answer));
      const isError = answer.startsWith("ERROR");
      if (!isError && !answer.endsWith(ending)) return;
      latencies.push(performance.now() - asked);
      next();
    });
    next();
  });
}

/** Has all connections do the same, until all requests are done. */
async function run(work) {
  const sockets = [];
  while (sockets.length < Number(values.connections)) {
    sockets.push(await open());
  }
  left = Number(values.requests);
  const start = performance.now();
  end = start + Number(values.seconds) * 1000;
  await Promise.all(sockets.map(work));
  for (const socket of sockets) socket.destroy();
  return performance.now() - start;
}

async function measure(name, text, ending) {
  const latencies = [];
  const watcher = await open();
  const before = await usedBy(watcher);
  const took = await run((socket) => ask(socket, text, ending, latencies));
  const used = (await usedBy(watcher)) - before;
  watcher.destroy();
  describe(name, latencies, took);
  if (values.histogram) draw(latencies);
  if (Number.isNaN(used)) return; // The floor has no `stats`.
  const each = (used / latencies.length).toFixed(1);
  console.log(`the server took ${each} microseconds for each`);
}

if (values.noreply) {
  if (!Object.hasOwn(ways, values.way)) {
    throw new Error(`--way takes ${Object.keys(ways).join(", ")}`);
  }
  const send = ways[values.way];
  const took = await run((socket) => send(socket, quiet, takeOne));
  const done = Number(values.requests) - left;
  const rate = ((done / took) * 1000).toFixed(0);
  console.log(`${values.way}: ${done} requests, ${rate} a second`);
} else {
  await measure("SET", set, "STORED\r\n");
  await measure("GET", get, "END\r\n");
}

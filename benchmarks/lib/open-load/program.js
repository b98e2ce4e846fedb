/**
 * A load generator with a clock: asks at a constant rate over connections that
 * are kept, times each request from when it was due, and says how late it was
 * itself. Prints one line of JSON.
 *
 *     node benchmarks/lib/open-load/program.js URL --rate 10000 --seconds 5 --connections 1000
 *
 * With --lead, it opens its connections for so many seconds from its own start
 * before the first request is due, so that who watches knows when that is.
 */
import { performance } from "node:perf_hooks";
import process from "node:process";
import { parseArgs } from "node:util";
import { Connection } from "./connection.js";
import { OpenLoop } from "./open-loop.js";
import { report } from "./report.js";

/** A server's queue of connections that it hasn't taken yet is short. */
const openedAtOnce = 64;

/** How long to wait for the last answers, in milliseconds. */
const patience = 2_000;

/** A timer may be a millisecond late; so nearer to the next one we don't sleep. */
const sleepless = 2;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rate: { type: "string", default: "1000" },
    seconds: { type: "string", default: "5" },
    connections: { type: "string", default: "256" },
    lead: { type: "string", default: "0" },
    header: { type: "string", multiple: true, default: [] },
  },
});
const url = new URL(positionals[0]);
const [rate, seconds, count] = [values.rate, values.seconds, values.connections].map(Number);
const lines = [
  `GET ${url.pathname}${url.search} HTTP/1.1`,
  `Host: ${url.host}`,
  ...values.header,
  "\r\n",
];
const request = Buffer.from(lines.join("\r\n"), "latin1");
const loop = new OpenLoop({ rate, seconds, connections: count, now: () => performance.now() });
const errors = { connect: 0, read: 0, status: 0, unreadable: /** @type {string[]} */ ([]) };
const where = { host: url.hostname, port: Number(url.port || 80) };
const connections = Array.from(
  { length: count },
  () => new Connection({ where, request, loop, errors }),
);
for (let index = 0; index < count; index += openedAtOnce) {
  const some = connections.slice(index, index + openedAtOnce);
  await Promise.all(some.map((connection) => connection.open()));
}
if (errors.connect > 0) {
  console.error(`${errors.connect} of ${count} connections could not be opened`);
  process.exit(1);
}

const start = Math.max(Number(values.lead) * 1000, performance.now() + 10);
const giveUp = start + seconds * 1000 + patience;
/** Milliseconds since the start in which there was nothing to do. */
let idle = 0;
let before = start;
let done = 0;
loop.start(start);

function turn() {
  loop.turn();
  const now = performance.now();
  const doneNow = loop.due + loop.answered;
  // Nothing was due and nothing has come since we looked last.
  if (doneNow === done) idle += Math.max(0, now - before);
  before = Math.max(now, start);
  done = doneNow;
  if (loop.isOver || now > giveUp) return finish();
  const rest = loop.due < loop.total ? loop.dueAt(loop.due) - now : sleepless;
  if (rest <= sleepless) return setImmediate(turn);
  const nap = rest - sleepless;
  if (now > start) {
    idle += nap;
    before += nap;
  }
  setTimeout(turn, nap);
}

function finish() {
  const elapsed = performance.now() - start;
  console.log(
    JSON.stringify(report({ loop, seconds, start, rate, connections, errors, idle, elapsed })),
  );
  for (const connection of connections) connection.end();
}

turn();

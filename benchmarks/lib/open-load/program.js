/**
 * A load generator with a clock: asks at a constant rate over connections that
 * are kept, times each request from when it was due, and says how late it was
 * itself. Prints one line of JSON.
 *
 *     node benchmarks/lib/open-load/program.js URL --rate 10000 --seconds 5 --connections 1000
 *
 * With --lead, it opens its connections for so many seconds from its own start
 * before the first request is due, so that who watches knows when that is. The
 * last of them, as many as --warm-up says, it asks at the same rate and counts
 * nothing: until V8 has compiled it, it is late itself.
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

/** For the last answers to the warm-up, in milliseconds. */
const rest = 100;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rate: { type: "string", default: "1000" },
    seconds: { type: "string", default: "5" },
    connections: { type: "string", default: "256" },
    lead: { type: "string", default: "0" },
    "warm-up": { type: "string", default: "0" },
    header: { type: "string", multiple: true, default: [] },
  },
});
const url = new URL(positionals[0]);
const [rate, seconds, count] = [values.rate, values.seconds, values.connections].map(Number);
const warmUpSeconds = Number(values["warm-up"]);
const lines = [
  `GET ${url.pathname}${url.search} HTTP/1.1`,
  `Host: ${url.host}`,
  ...values.header,
  "\r\n",
];
const request = Buffer.from(lines.join("\r\n"), "latin1");
const now = () => performance.now();
const warmUp = new OpenLoop({ rate, seconds: warmUpSeconds, connections: count, now });
const loop = new OpenLoop({ rate, seconds, connections: count, now });
const errors = { connect: 0, read: 0, status: 0, unreadable: /** @type {string[]} */ ([]) };
const where = { host: url.hostname, port: Number(url.port || 80) };
const connections = Array.from(
  { length: count },
  () => new Connection({ where, request, loop: warmUp, errors }),
);
for (let index = 0; index < count; index += openedAtOnce) {
  const some = connections.slice(index, index + openedAtOnce);
  await Promise.all(some.map((connection) => connection.open()));
}
if (errors.connect > 0) {
  console.error(`${errors.connect} of ${count} connections could not be opened`);
  process.exit(1);
}

const warming = warmUpSeconds > 0 ? warmUpSeconds * 1000 + rest : 0;
const start = Math.max(Number(values.lead) * 1000, now() + 10 + warming);
if (warming > 0) await play(warmUp, start - warming, start);
for (const connection of connections) connection.serve(loop);
Object.assign(errors, { read: 0, status: 0, unreadable: [] });
const idle = await play(loop, start, start + seconds * 1000 + patience);
const run = { loop, seconds, start, rate, connections, errors, idle, elapsed: now() - start };
console.log(JSON.stringify(report(run)));
for (const connection of connections) connection.end();

/**
 * Plays a loop until it is over.
 *
 * @param {OpenLoop} played
 * @param {number} from when its first request is due
 * @param {number} giveUp when not to wait for its answers any longer
 * @returns {Promise<number>} milliseconds since then with nothing to do
 */
function play(played, from, giveUp) {
  let idleSoFar = 0;
  let before = from;
  let done = 0;
  played.start(from);
  return new Promise((resolve) => {
    function turn() {
      played.turn();
      const time = now();
      const doneNow = played.due + played.answered;
      // Nothing was due and nothing has come since we looked last.
      if (doneNow === done) idleSoFar += Math.max(0, time - before);
      before = Math.max(time, from);
      done = doneNow;
      if (played.isOver || time > giveUp) return resolve(idleSoFar);
      const toNext = played.due < played.total ? played.dueAt(played.due) - time : sleepless;
      if (toNext <= sleepless) return setImmediate(turn);
      const nap = toNext - sleepless;
      if (time > from) {
        idleSoFar += nap;
        before += nap;
      }
      setTimeout(turn, nap);
    }
    turn();
  });
}

import { quietly } from "./quietly.js";

const MOST_LEVEL = 2 ** 32 - 1;
const VERSION = "1.6.0 nodecached";
const BAD_LINE = "CLIENT_ERROR bad command line format";
const BAD_TIME = "CLIENT_ERROR invalid exptime argument";

/** The commands about the server: stats, flush_all, version and others. */
export function reporting(cache) {
  const { store, counts } = cache;

  function general() {
    const { user, system } = process.cpuUsage();
    return {
      pid: process.pid,
      uptime: Math.floor((performance.now() - cache.startedAt) / 1000),
      time: Math.floor(Date.now() / 1000),
      version: VERSION,
      pointer_size: 64,
      rusage_user: (user / 1e6).toFixed(6),
      rusage_system: (system / 1e6).toFixed(6),
      curr_connections: cache.connections,
      ...counts,
      ...store.facts(),
      limit_maxbytes: cache.memory,
      threads: 1,
    };
  }

  function stats(line) {
    const topic = line.next() ? line.text : "";
    if (topic === "reset") {
      cache.forget();
      return "RESET";
    }
    if (topic !== "") return "ERROR";
    const rows = Object.entries(general());
    const lines = rows.map(([name, value]) => `STAT ${name} ${value}\r\n`);
    return `${lines.join("")}END`;
  }

  function flush(line) {
    const isBare = line.rest.length === (line.isQuiet ? 1 : 0);
    const exptime = isBare ? 0 : line.nextTime();
    if (Number.isNaN(exptime)) return BAD_TIME;
    counts.cmd_flush++;
    store.flush(exptime);
    return "OK";
  }

  function checkLevel(line) {
    return Number.isNaN(line.nextNumber(MOST_LEVEL)) ? BAD_LINE : "OK";
  }

  const answer = (work) => (connection, line) =>
    connection.answer(`${work(line)}\r\n`);

  return {
    stats: answer(stats),
    flush_all: quietly(0, 2, flush),
    verbosity: quietly(1, 2, checkLevel),
    version: answer(() => `VERSION ${VERSION}`),
    quit: (connection) => connection.close(),
  };
}

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** @import { Result } from "./load.js" */

/**
 * The lines of a program that notes in a file of its own process when a
 * connection comes (`c PORT`), when a request begins (`b ID`), and when its
 * answer is out (`e ID`). They are written at once, so that they stand there
 * however the process ends. To be put behind what defines `router`.
 *
 * @param {string} folder for the files
 * @param {number} [milliseconds] that an answer takes
 */
export function notingProgram(folder, milliseconds = 20) {
  return `
import { openSync, writeSync } from "node:fs";
const ledger = openSync(${JSON.stringify(folder)} + "/" + process.pid, "a");
const note = (line) => writeSync(ledger, line + "\\n");
router.post("/work/:id", async (req, res) => {
  const { id } = req.params;
  note("b " + id);
  res.once("finish", () => note("e " + id));
  await sleep(${milliseconds});
  res.setHeader("x-pid", process.pid);
  return id;
});
const server = createServer(router, { keepAliveTimeout: 2000 });
server.on("connection", (socket) => note("c " + socket.remotePort));
server.listen(port);
`;
}

/**
 * What became of the requests that failed. `begun`: a killed process had
 * begun them and not ended them. `onItsConnection`: they were on a connection
 * that a killed process had noted, and nobody had begun them. `unseen`: their
 * connection was reset, a process was killed meanwhile, and nobody had noted
 * it: the process had taken it and not come to its JavaScript. (One that
 * waits in the queue isn't reset, for the others have the queue, too.)
 *
 * @param {string} folder
 * @param {Result[]} failed
 * @param {Map<string, number>} killed pids, and when, in the load's time
 */
export function explain(folder, failed, killed) {
  const ledgers = readdirSync(folder).map((pid) => readLedger(folder, pid));
  const explained = { begun: 0, onItsConnection: 0, unseen: 0 };
  /** @type {Result[]} */
  const unexplained = [];
  for (const result of failed) {
    const id = String(result.id);
    const port = String(result.localPort);
    const beginners = ledgers.filter(({ begun }) => begun.has(id));
    const takers = ledgers.filter(({ ports }) => ports.has(port));
    const isIn = beginners.some(
      ({ pid, ended }) => killed.has(pid) && !ended.has(id),
    );
    const failedAt = result.at + result.took;
    const wasKilled = [...killed.values()].some(
      (at) => result.at <= at && at <= failedAt,
    );
    const isReset = result.error === "ECONNRESET";
    if (isIn) explained.begun += 1;
    else if (beginners.length > 0) unexplained.push(result);
    else if (takers.some(({ pid }) => killed.has(pid))) {
      explained.onItsConnection += 1;
    } else if (takers.length === 0 && isReset && wasKilled)
      explained.unseen += 1;
    else unexplained.push(result);
  }
  return { ...explained, unexplained };
}

/** @param {string} folder @param {string} pid */
function readLedger(folder, pid) {
  const lines = readFileSync(path.join(folder, pid), "latin1").split("\n");
  const of = (/** @type {string} */ kind) =>
    new Set(
      lines
        .filter((line) => line.startsWith(kind))
        .map((line) => line.slice(2)),
    );
  return { pid, ports: of("c"), begun: of("b"), ended: of("e") };
}

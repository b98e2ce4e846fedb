/**
 * What a server of node:http's kind makes of bytes: which requests it hands
 * on, how it answers, and what becomes of the connection.
 *
 *     const judge = judgeInMemory(server, MemorySocket);
 *     const verdict = await judge([bytes, moreBytes]);
 */
import { visible } from "./run-case.js";

/** @import { Duplex } from "node:stream" */
/** @import { Socket } from "node:net" */

/**
 * @typedef {object} Seen a request as a handler gets it
 * @property {string} head method, target, version and field lines
 * @property {string} body latin1
 * @property {string[]} trailers
 * @property {boolean} isComplete whether the end of its body came
 *
 * @typedef {object} Verdict
 * @property {Seen[]} requests
 * @property {number[]} statuses of what came back, 1xx included
 * @property {boolean} isOpen whether the server would read on
 * @property {string} [odd] what came back and is no response
 *
 * @typedef {(pieces: Uint8Array[]) => Promise<Verdict>} Judge
 */

/** So many turns of the event loop without news, and nothing more comes. */
const QUIET_TURNS = 12;
/** A connection that isn't accepted after so many never will be. */
const MOST_TURNS = 100_000;
/** What the handler answers: no status line can hide in it. */
const BODY = "ok";

/** Handlers write here what they get; one connection at a time. */
class Notebook {
  /** @type {Seen[]} */
  requests = [];
  /** Goes up when anything happens. */
  news = 0;

  /** @param {any} req @param {any} res null when handed over */
  note(req, res) {
    const { requests } = this;
    const { method, url, httpVersion, rawHeaders } = req;
    const line = `${method} ${url} HTTP/${httpVersion}`;
    const head = [line, ...pairsOf(rawHeaders)].join("\n");
    /** @type {Seen} */
    const seen = { head, body: "", trailers: [], isComplete: false };
    requests.push(seen);
    this.news += 1;
    if (res === null) {
      seen.head += "\n(handed over)";
      return;
    }
    req.on("data", (/** @type {Buffer} */ chunk) => {
      seen.body += chunk.toString("latin1");
      this.news += 1;
    });
    req.on("end", () => {
      seen.isComplete = true;
      seen.trailers = pairsOf(req.rawTrailers);
      this.news += 1;
      res.end(BODY);
    });
    req.on("error", () => {});
    res.on("error", () => {});
  }
}

/** @param {string[]} list names and values in turn */
function pairsOf(list) {
  const pairs = [];
  for (let i = 0; i < list.length; i += 2)
    pairs.push(`${list[i]}: ${list[i + 1]}`);
  return pairs;
}

/**
 * Judges by a connection in memory.
 *
 * @param {any} server with no listener for requests yet
 * @param {{ pair: () => [client: Duplex, server: Duplex] }} pairs
 * @returns {Judge}
 */
export function judgeInMemory(server, pairs) {
  let notebook = new Notebook();
  server.on("request", (/** @type {any} */ req, /** @type {any} */ res) =>
    notebook.note(req, res),
  );
  return async (pieces) => {
    notebook = new Notebook();
    const ours = notebook;
    const [client, end] = pairs.pair();
    const came = new Came(client, ours);
    client.on("error", () => {});
    server.emit("connection", end);
    for (const piece of pieces) {
      client.write(piece);
      // One turn for it to arrive, one for it to be read.
      await turn();
      await turn();
    }
    await quiet(ours);
    const verdict = came.verdict();
    client.destroy();
    end.destroy();
    return verdict;
  };
}

/**
 * Judges by a socket: the kernel decides what is read together, but a piece
 * is sent only when the loop has turned since the last.
 *
 * @param {any} server that listens, with no listener for requests yet
 * @param {() => Promise<import("node:net").Socket>} connect
 * @returns {Judge} many of them may run at once
 */
export function judgeBySocket(server, connect) {
  /** @type {Map<number, Notebook>} by the client's port */
  const notebooks = new Map();
  server.on("request", (/** @type {any} */ req, /** @type {any} */ res) =>
    notebooks.get(req.socket.remotePort)?.note(req, res),
  );
  /** @type {Set<number | undefined>} */
  const accepted = new Set();
  server.on("connection", (/** @type {Socket} */ { remotePort }) =>
    accepted.add(remotePort),
  );
  return async (pieces) => {
    const client = await connect();
    const ours = new Notebook();
    const port = /** @type {number} */ (client.localPort);
    notebooks.set(port, ours);
    for (let turns = 0; !accepted.delete(port); turns += 1) {
      if (turns > MOST_TURNS) throw new Error("nobody accepts");
      await turn();
    }
    const came = new Came(client, ours);
    client.on("error", () => {});
    for (const piece of pieces) {
      client.write(piece);
      await turn();
      await turn();
    }
    await quiet(ours);
    const verdict = came.verdict();
    notebooks.delete(port);
    client.resetAndDestroy();
    return verdict;
  };
}

/** What came back on a connection. */
class Came {
  #text = "";
  #isOpen = true;
  #notebook;

  /** @param {Duplex} client @param {Notebook} notebook */
  constructor(client, notebook) {
    this.#notebook = notebook;
    client.on("data", (chunk) => {
      this.#text += chunk.toString("latin1");
      notebook.news += 1;
    });
    const end = () => {
      this.#isOpen = false;
      notebook.news += 1;
    };
    client.on("end", end).on("close", end);
  }

  /** @returns {Verdict} */
  verdict() {
    const { requests } = this.#notebook;
    const { statuses, odd } = readAnswers(this.#text);
    return { requests, statuses, isOpen: this.#isOpen, odd };
  }
}

const HEAD =
  /^HTTP\/1\.1 (\d\d\d) [^\r\n]*\r\n((?:[!#-'*+.^-z|~0-9A-Z-]+: [^\r\n]*\r\n)*)\r\n/;

/** @param {string} text */
function readAnswers(text) {
  const statuses = [];
  let rest = text;
  while (rest !== "") {
    const match = HEAD.exec(rest);
    if (match === null)
      return { statuses, odd: visible(Buffer.from(rest)) };
    const [all, status, fields] = match;
    statuses.push(Number(status));
    rest = rest.slice(all.length);
    const length = /^content-length: (\d+)\r$/im.exec(fields)?.[1];
    if (
      length !== undefined &&
      rest.length > 0 &&
      !rest.startsWith("HTTP/")
    )
      rest = rest.slice(Number(length));
    else if (rest.startsWith(BODY)) rest = rest.slice(BODY.length);
    else if (/^transfer-encoding: chunked\r$/im.test(fields))
      rest = rest.replace(/^[\s\S]*?0\r\n\r\n/, "");
  }
  return { statuses };
}

/** @param {Notebook} notebook */
async function quiet(notebook) {
  let { news } = notebook;
  for (let turns = 0; turns < QUIET_TURNS; turns += 1) {
    await turn();
    if (notebook.news === news) continue;
    ({ news } = notebook);
    turns = 0;
  }
}

/** @returns {Promise<void>} */
function turn() {
  return new Promise((resolve) => setImmediate(resolve));
}

/**
 * A verdict in words, for a message and to compare it with another. What
 * came of a body that never ended may differ: it depends on the pieces.
 *
 * @param {Verdict} verdict
 */
export function wordsOf({ requests, statuses, isOpen, odd }) {
  const lines = requests.map(({ head, body, trailers, isComplete }) => {
    const end = isComplete ? [`body ${body}`, ...trailers] : ["(no end)"];
    return visible(Buffer.from([head, ...end].join(" | "), "latin1"));
  });
  const answers = statuses.join(", ") || "no answer";
  const ending = isOpen ? "reads on" : "closes";
  return [
    ...lines,
    `${answers}, ${ending}${odd ? `, odd: ${odd}` : ""}`,
  ].join("\n");
}

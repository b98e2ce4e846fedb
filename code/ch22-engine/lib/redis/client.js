import net from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { UsageError } from "../errors.js";
import { Connection } from "./connection.js";

// setTimeout takes no more.
const MOST_DEADLINE = 2 ** 31 - 1;
const FIRST_PAUSE = 50;
const LONGEST_PAUSE = 2_000;
// A server that greets and hangs up isn't there yet.
const PROOF = 100;

/**
 * A client for Redis 6 or later, which connects anew when its connection
 * has ended. While Redis is away commands fail at once. None is sent twice.
 */
export class RedisClient {
  #address;
  #deadline;
  /** @type {Promise<Connection> | null} null while Redis is away */
  #connection = null;
  /** @type {unknown} */
  #cause = undefined;
  #isClosed = false;

  /**
   * @param {string} url `redis://user:password@127.0.0.1:6379/0`, or rediss
   * @param {number} [deadline] for each command, in milliseconds
   * @throws {UsageError} ERR_OPTION_INVALID
   */
  constructor(url, deadline = 1_000) {
    checkDeadline(deadline);
    this.#address = readUrl(url);
    this.#deadline = deadline;
    this.#stayConnected();
  }

  /**
   * @param {(string | number)[]} words
   * @returns {Promise<any>}
   * @throws {RedisError} what Redis says
   * @throws {Error} if it is away, or its reply is late
   */
  async command(...words) {
    const askedAt = performance.now();
    if (this.#connection === null) {
      throw new Error("Redis is away", { cause: this.#cause });
    }
    const connection = await this.#connection;
    return connection.send(words, askedAt);
  }

  close() {
    this.#isClosed = true;
    const close = (connection) => connection.close();
    this.#connection?.then(close, () => {});
  }

  async #stayConnected() {
    let pause = FIRST_PAUSE;
    let isAway = false;
    while (!this.#isClosed) {
      const opening = open(this.#address, this.#deadline);
      if (!isAway) this.#connection = opening;
      try {
        const connection = await opening;
        this.#connection = opening;
        isAway = false;
        const openedAt = performance.now();
        if (this.#isClosed) connection.close();
        const cause = await connection.closed;
        const time = performance.now() - openedAt;
        if (time < PROOF) throw cause ?? new Error("Redis hangs up");
        pause = FIRST_PAUSE;
      } catch (err) {
        isAway = true;
        this.#connection = null;
        this.#cause = err;
        // Many clients of one Redis shouldn't come back all at once.
        const wait = pause * (0.5 + Math.random() / 2);
        await sleep(wait, undefined, { ref: false });
        pause = Math.min(pause * 2, LONGEST_PAUSE);
      }
    }
  }
}

async function open({ host, port, isSecure, hello, database }, deadline) {
  // In TLS the client says which host it wants; it can't say an address.
  const servername = net.isIP(host) === 0 ? host : "";
  const to = { host, port, noDelay: true, servername };
  const tls = isSecure ? process.getBuiltinModule("node:tls") : null;
  const socket = tls === null ? net.connect(to) : tls.connect(to);
  const connection = new Connection(socket, deadline);
  // One deadline for both: whoever waits for the opening has no more.
  const startedAt = performance.now();
  try {
    await connection.send(hello, startedAt);
    const select = ["SELECT", database];
    if (database !== "") await connection.send(select, startedAt);
    return connection;
  } catch (err) {
    connection.close();
    throw err;
  }
}

function checkDeadline(time) {
  if (Number.isInteger(time) && time > 0 && time <= MOST_DEADLINE) return;
  const expected = `milliseconds, from 1 to ${MOST_DEADLINE}`;
  const details = ["deadline", expected, time];
  throw new UsageError("ERR_OPTION_INVALID", ...details);
}

function readUrl(url) {
  try {
    return addressOf(new URL(url));
  } catch {
    // The message doesn't show the text: a password may be in it.
    const details = ["url", "redis:// and a host", "what was given"];
    throw new UsageError("ERR_OPTION_INVALID", ...details);
  }
}

function addressOf(parsed) {
  const { protocol, hostname, port, username, password } = parsed;
  const isRedis = protocol === "redis:" || protocol === "rediss:";
  if (!isRedis || hostname === "") throw new Error("no Redis");
  const user = [username || "default", password].map(decodeURIComponent);
  const login = password === "" ? [] : ["AUTH", ...user];
  return {
    host: hostname.replace(/^\[(.*)\]$/, "$1"),
    port: Number(port || 6379),
    isSecure: protocol === "rediss:",
    hello: ["HELLO", 3, ...login],
    database: parsed.pathname.slice(1),
  };
}

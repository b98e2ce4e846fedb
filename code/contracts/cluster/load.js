import { once } from "node:events";
import http from "node:http";
import { text } from "node:stream/consumers";

/**
 * @typedef {object} Result of a request
 * @property {number} id
 * @property {number} at milliseconds since the load began
 * @property {number} took milliseconds
 * @property {number} localPort of the connection; 0 if there was none
 * @property {string} pid of the process that answered
 * @property {string} error empty if it was answered as it should be
 *
 * @typedef {object} Connection
 * @property {number} from milliseconds since the load began
 * @property {number} to
 * @property {string} pid of the process that answered on it
 */

/** A request that isn't answered within so many milliseconds has failed. */
const PATIENCE = 15_000;

/**
 * Sends a request every so often, whatever becomes of those before it:
 * `POST /work/ID`, which has to be answered with the id. Every other one has
 * a connection of its own, the rest share some that stay open. Nothing is
 * sent a second time.
 */
export class SteadyLoad {
  #port;
  #perSecond;
  #agents;
  #startedAt = performance.now();
  #timer;
  #begun = 0;
  /** @type {WeakMap<object, Connection>} */
  #known = new WeakMap();
  /** @type {Set<Promise<void>>} */
  #open = new Set();

  /** @type {Result[]} */
  results = [];
  /** Each connection that there was. @type {Connection[]} */
  connections = [];

  /** @param {number} port @param {number} perSecond @param {number} connections */
  constructor(port, perSecond, connections) {
    this.#port = port;
    this.#perSecond = perSecond;
    this.#agents = [
      new http.Agent({ keepAlive: true, maxSockets: connections }),
      new http.Agent({ keepAlive: false }),
    ];
    this.#timer = setInterval(() => this.#sendDue(), 5);
  }

  /** Milliseconds since the load began. */
  get now() {
    return performance.now() - this.#startedAt;
  }

  /** @returns {Result[]} */
  get failed() {
    return this.results.filter(({ error }) => error !== "");
  }

  #sendDue() {
    const due = (this.now / 1000) * this.#perSecond;
    while (this.#begun < due) {
      this.#begun += 1;
      const request = this.#send(this.#begun);
      this.#open.add(request);
      request.then(() => this.#open.delete(request));
    }
  }

  /** @param {number} id */
  async #send(id) {
    const result = {
      id,
      at: this.now,
      took: 0,
      localPort: 0,
      pid: "",
      error: "",
    };
    const request = http.request({
      agent: this.#agents[id % 2],
      host: "127.0.0.1",
      port: this.#port,
      method: "POST",
      path: `/work/${id}`,
      signal: AbortSignal.timeout(PATIENCE),
    });
    /** @type {Connection | undefined} */
    let connection;
    request.once("socket", (socket) => {
      connection = this.#note(socket);
      const note = () => {
        result.localPort = socket.localPort ?? 0;
      };
      if (socket.connecting) socket.once("connect", note);
      else note();
    });
    request.end();
    try {
      const [response] = await once(request, "response");
      const body = await text(response);
      result.pid = String(response.headers["x-pid"] ?? "");
      if (connection) connection.pid = result.pid;
      const isRight = response.statusCode === 200 && body === String(id);
      if (!isRight)
        result.error = `${response.statusCode} ${body.slice(0, 40)}`;
    } catch (err) {
      const { code, name } = /** @type {any} */ (err);
      result.error = String(code ?? name);
    }
    result.took = this.now - result.at;
    this.results.push(result);
  }

  /** @param {import("node:net").Socket} socket */
  #note(socket) {
    const known = this.#known.get(socket);
    if (known !== undefined) return known;
    const connection = { from: this.now, to: Infinity, pid: "" };
    this.#known.set(socket, connection);
    this.connections.push(connection);
    socket.once("close", () => {
      connection.to = this.now;
    });
    return connection;
  }

  /** Sends no more, and waits for the answers. */
  async finish() {
    clearInterval(this.#timer);
    await Promise.all(this.#open);
    for (const agent of this.#agents) agent.destroy();
  }
}

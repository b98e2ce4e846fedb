import { tellRequest } from "../diagnostics.js";
import { HttpError } from "../errors.js";
import { Connection } from "./connection.js";
import { membersOf } from "./framing.js";
import { readFrom, readPlainly } from "./reading.js";

/** @import { Socket } from "node:net" */
/** @import { HeadLimits } from "./head.js" */
/** @import { EngineRequest } from "./request.js" */
/** @import { EngineResponse } from "./response.js" */

// How long a client may go on sending behind its last answer, in ms.
const LINGER_TIMEOUT = 5_000;

/** The connections of one server, and what they have in common. */
export class Engine {
  #server;
  #interval;
  /** @type {NodeJS.Timeout | undefined} */
  #timer;

  /** @type {Set<Connection>} */
  connections = new Set();
  /** How often the connections have been looked through. */
  tick = 0;
  limits;

  /**
   * @param {any} server with the timeouts of node:http's
   * @param {HeadLimits} limits
   * @param {number} interval milliseconds of a tick
   */
  constructor(server, limits, interval) {
    this.#server = server;
    this.limits = limits;
    this.#interval = interval;
  }

  /** @param {Socket} socket */
  add(socket) {
    if (this.connections.size === 0) this.#startClock();
    const connection = new Connection(socket, this);
    this.connections.add(connection);
    const { timeout } = this.#server;
    if (timeout > 0) socket.setTimeout(timeout);
    readFrom(socket, connection);
  }

  /** @param {Connection} connection */
  delete(connection) {
    this.connections.delete(connection);
    if (this.connections.size === 0) clearInterval(this.#timer);
  }

  /** @param {EngineRequest} req @param {EngineResponse} res */
  dispatch(req, res, { requestCount }) {
    const server = this.#server;
    req.server = server;
    tellRequest(res);
    const { keepAliveTimeout, maxRequestsPerSocket } = server;
    res._keepAliveTimeout = keepAliveTimeout;
    if (maxRequestsPerSocket > 0) {
      res._maxRequestsPerSocket = maxRequestsPerSocket;
      const isLast = requestCount >= maxRequestsPerSocket;
      if (isLast) res.shouldKeepAlive = false;
    }
    if (req.expects === "") server.emit("request", req, res);
    else this.#dispatchExpecting(req, res);
  }

  // RFC 9110, section 10.1.1.
  #dispatchExpecting(req, res) {
    const server = this.#server;
    const expected = membersOf(req.expects);
    if (req.httpVersionMinor === 0 || expected.length === 0) {
      server.emit("request", req, res);
    } else if (expected.every((one) => one === "100-continue")) {
      res._expect_continue = true;
      if (server.emit("checkContinue", req, res)) return;
      res.writeContinue();
      server.emit("request", req, res);
    } else if (!server.emit("checkExpectation", req, res)) {
      res.writeHead(417).end();
    }
  }

  /**
   * @param {EngineRequest} req
   * @returns {string | null} the event that hands the connection over
   */
  handOverFor(req) {
    const name = req.method === "CONNECT" ? "connect" : "upgrade";
    if (this.#server.listenerCount(name) === 0) return null;
    req.upgrade = true;
    return req.upgrade || name === "connect" ? name : null;
  }

  /** @param {Connection} connection @param {Buffer} rest */
  handOver(name, req, connection, rest) {
    this.delete(connection);
    readPlainly(connection.socket);
    this.#server.emit(name, req, connection.socket, rest);
  }

  /** @returns {boolean} whether somebody listens */
  tellTimeout(socket) {
    return this.#server.emit("timeout", socket);
  }

  /** @param {Socket} socket */
  resetTimeout(socket) {
    const { timeout } = this.#server;
    if (socket.timeout !== timeout) socket.setTimeout(timeout);
  }

  /** @returns {boolean} whether somebody deals with it */
  tellClientError(err, socket) {
    return this.#server.emit("clientError", err, socket);
  }

  #startClock() {
    this.#timer = setInterval(() => {
      this.tick += 1;
      for (const connection of this.connections) this.#check(connection);
    }, this.#interval);
    this.#timer.unref();
  }

  #check(connection) {
    const { state, since, socket } = connection;
    if (state === "sending") {
      connection.since = this.tick;
      return;
    }
    // Of the first tick nobody knows how much of it was over.
    const waited = (this.tick - since - 1) * this.#interval;
    if (waited < this.#timeFor(state, connection)) return;
    if (state === "head" || state === "body") {
      connection.refuse(new HttpError(408, "the request takes too long"));
    } else {
      socket.destroy();
    }
  }

  #timeFor(state, { requestCount }) {
    const server = this.#server;
    const requestTime = server.requestTimeout || Infinity;
    const headTime = server.headersTimeout || Infinity;
    if (state === "closing") return LINGER_TIMEOUT;
    if (state === "answer") return Infinity;
    if (state === "body") return requestTime;
    if (state === "head") return Math.min(headTime, requestTime);
    if (requestCount === 0) return headTime;
    const idleTime = server.keepAliveTimeout || Infinity;
    return idleTime + server.keepAliveTimeoutBuffer;
  }
}

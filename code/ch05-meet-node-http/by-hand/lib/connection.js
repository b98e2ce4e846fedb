import { HttpError } from "./errors.js";
import { keepsAlive } from "./head.js";
import { RequestParser } from "./request-parser.js";
import { formatHead } from "./response.js";

/** @import { Socket } from "node:net" */
/** @import { Limits } from "./limits.js" */
/** @import { Request } from "./request-parser.js" */
/** @import { Response } from "./response.js" */

/** How long a refused client may go on sending, in milliseconds. */
const LINGER = 1_000;

/** What is said of an error that is not the client's. */
const SERVER_ERROR = { statusCode: 500, message: "the server failed" };

/** One client: its bytes become requests, its answers become bytes. */
export class Connection {
  #socket;
  #handler;
  #limits;
  #parser;
  #isClosing = false;
  #requestCount = 0;
  /** When the first byte of the request at hand came. */
  #requestStart = 0;
  /** When we lose patience. */
  #deadline;

  /**
   * @param {Socket} socket
   * @param {(request: Request) => Response} handler
   * @param {Limits} limits
   */
  constructor(socket, handler, limits) {
    this.#socket = socket;
    this.#handler = handler;
    this.#limits = limits;
    this.#parser = new RequestParser({
      onRequest: (request) => this.#answer(request),
      onContinue: () => this.#sayContinue(),
      limits,
    });
    this.#deadline = Date.now() + limits.idleTimeout;
    socket.on("data", (chunk) => this.#read(chunk));
    socket.on("end", () => this.#end());
    // The client hung up. There is nobody left to tell.
    socket.on("error", () => {});
    socket.on("drain", () => socket.resume());
  }

  /** @param {Buffer} chunk */
  #read(chunk) {
    if (this.#isClosing) return;
    const wasBetween = this.#parser.isBetweenRequests;
    const count = this.#requestCount;
    try {
      this.#parser.push(chunk);
    } catch (err) {
      this.#refuse(err);
    }
    if (this.#isClosing) return;
    const isNew = wasBetween || this.#requestCount > count;
    this.#setDeadline(Date.now(), isNew);
  }

  /**
   * @param {number} now
   * @param {boolean} isNew has a request begun in the last chunk?
   */
  #setDeadline(now, isNew) {
    const { headTimeout, requestTimeout, idleTimeout } = this.#limits;
    if (isNew) this.#requestStart = now;
    if (this.#socket.isPaused()) {
      this.#deadline = now + requestTimeout;
    } else if (this.#parser.isBetweenRequests) {
      this.#deadline = now + idleTimeout;
    } else if (this.#parser.isInHead) {
      this.#deadline = this.#requestStart + headTimeout;
    } else {
      this.#deadline = this.#requestStart + requestTimeout;
    }
  }

  /** @param {number} now */
  checkDeadline(now) {
    if (now < this.#deadline) return;
    const isStuck = this.#isClosing || this.#socket.isPaused();
    if (isStuck) this.#socket.destroy();
    else if (this.#parser.isBetweenRequests) this.#close();
    else this.#refuse(new HttpError(408, "the request takes too long"));
  }

  #sayContinue() {
    if (this.#isClosing) return;
    this.#socket.write("HTTP/1.1 100 Continue\r\n\r\n");
  }

  /** @param {Request} request */
  #answer(request) {
    if (this.#isClosing) return;
    this.#requestCount += 1;
    const isLast =
      !keepsAlive(request) ||
      this.#requestCount >= this.#limits.requestsPerConnection;
    const response = this.#handler(request);
    const head = formatHead(response, isLast);
    const isHead = request.method === "HEAD";
    const bytes = isHead ? head : head + response.body;
    // It has more than enough to read. Let it do that first.
    if (!this.#socket.write(bytes)) this.#socket.pause();
    if (isLast) this.#close();
  }

  /** @param {unknown} err */
  #refuse(err) {
    if (this.#isClosing) return;
    const { statusCode, message } =
      err instanceof HttpError ? err : SERVER_ERROR;
    const fields = { "content-type": "text/plain" };
    const response = { statusCode, fields, body: `${message}\n` };
    this.#socket.write(formatHead(response, true) + response.body);
    this.#close();
  }

  #end() {
    if (this.#isClosing || this.#parser.isBetweenRequests) this.#close();
    else this.#refuse(new HttpError(400, "the request has no end"));
  }

  /**
   * Closes our side. What still comes is read and dropped for a while:
   * hanging up at once could take our last answer away from the client
   * (RFC 9112, section 9.6).
   */
  #close() {
    this.#isClosing = true;
    this.#deadline = Date.now() + LINGER;
    this.#socket.end();
    // It may be paused, and what comes has to be read and dropped.
    this.#socket.resume();
  }
}

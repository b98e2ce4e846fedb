import { inspect } from "node:util";
import { HttpError } from "./errors.js";
import { keepsAlive } from "./head.js";
import { RequestParser } from "./request-parser.js";
import { formatHead, hasContent, isFinalStatus } from "./response.js";

/** @import { Socket } from "node:net" */
/** @import { Limits } from "./limits.js" */
/** @import { Request } from "./request-parser.js" */
/** @import { Response } from "./response.js" */

/** What a client is told of an error that is ours. */
const SERVER_ERROR = { statusCode: 500, message: "the server failed" };

/** One client: its bytes become requests, its answers become bytes. */
export class Connection {
  #socket;
  #handler;
  #limits;
  #parser;
  #isClosing = false;
  #requestCount = 0;
  /** When the first byte of the request at hand came, in ms. */
  #requestStart = 0;
  /** When we lose patience, in ms. */
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
    this.#deadline = performance.now() + limits.idleTimeout;
    socket.on("data", (chunk) => this.#read(chunk));
    socket.on("end", () => this.#end());
    socket.on("drain", () => this.#goOn());
    socket.on("error", (err) => {
      // The client hung up. There is nobody left to tell.
      if (err.code === "ECONNRESET" || err.code === "EPIPE") return;
      process.emitWarning(err);
    });
  }

  /** @param {Buffer} chunk */
  #read(chunk) {
    if (this.#isClosing) return;
    if (this.#parser.isBetweenRequests) this.#startClock();
    try {
      const length = this.#parser.push(chunk);
      const hasRest = length < chunk.length && !this.#isClosing;
      if (hasRest) this.#socket.unshift(chunk.subarray(length));
    } catch (err) {
      this.#refuse(err);
    }
    if (!this.#isClosing) this.#setDeadline();
  }

  /** Gives false if the next answer has to wait for "drain". */
  #send(response, isLast) {
    const head = formatHead(response, isLast);
    const isHead = this.#parser.method === "HEAD";
    const isHeadOnly = isHead || !hasContent(response);
    const text = isHeadOnly ? head : head + response.body;
    if (this.#socket.write(Buffer.from(text))) return true;
    this.#socket.pause();
    return false;
  }

  /** What the client has to take all that waits for it, in ms. */
  get #sendTime() {
    const mebibytes = Math.floor(this.#socket.writableLength / 2 ** 20);
    return (1 + mebibytes) * this.#limits.sendTimeout;
  }

  #goOn() {
    this.#socket.resume();
    this.#setDeadline();
  }

  #sayContinue() {
    if (this.#isClosing) return;
    this.#socket.write("HTTP/1.1 100 Continue\r\n\r\n");
  }

  #startClock() {
    this.#requestStart = performance.now();
  }

  #setDeadline() {
    const { idleTimeout, headTimeout, requestTimeout } = this.#limits;
    if (this.#socket.isPaused()) {
      this.#deadline = performance.now() + this.#sendTime;
    } else if (this.#parser.isBetweenRequests) {
      this.#deadline = performance.now() + idleTimeout;
    } else if (this.#parser.isInHead) {
      const headTime = Math.min(headTimeout, requestTimeout);
      this.#deadline = this.#requestStart + headTime;
    } else {
      this.#deadline = this.#requestStart + requestTimeout;
    }
  }

  /** @param {number} now in ms, of performance.now() */
  checkDeadline(now) {
    if (now < this.#deadline) return;
    const isGivenUp = this.#isClosing || this.#socket.isPaused();
    if (isGivenUp) this.#socket.destroy();
    else if (this.#parser.isBetweenRequests) this.#close();
    else this.#refuse(new HttpError(408, "the request takes too long"));
  }

  /** Gives false if no other request is to follow now. */
  #answer(request) {
    if (this.#isClosing) return false;
    this.#startClock();
    this.#requestCount += 1;
    const isLast =
      !keepsAlive(request) ||
      this.#requestCount >= this.#limits.requestsPerConnection;
    const keepsUp = this.#send(this.#handler(request), isLast);
    if (isLast) this.#close();
    return keepsUp && !isLast;
  }

  /** @param {unknown} err */
  #refuse(err) {
    if (this.#isClosing) return;
    const { statusCode, message } = forClient(err);
    const fields = { "content-type": "text/plain" };
    const response = { statusCode, fields, body: `${message}\n` };
    this.#send(response, true);
    this.#close();
  }

  #end() {
    if (this.#parser.isBetweenRequests) this.#close();
    else this.#refuse(new HttpError(400, "the request has no end"));
  }

  /** Closes in stages (RFC 9112, section 9.6). */
  #close() {
    this.#isClosing = true;
    this.#deadline = performance.now() + this.#sendTime;
    this.#socket.end(() => {
      // The kernel has the answer. What still comes is read and dropped.
      this.#deadline = performance.now() + this.#limits.lingerTimeout;
      this.#socket.resume();
    });
  }
}

/** What the client is told of an error. We are told of our own. */
function forClient(err) {
  try {
    if (err instanceof HttpError) {
      const { statusCode, message } = err;
      const isText = typeof message === "string";
      const isGood = isText && isFinalStatus(statusCode);
      if (isGood) return { statusCode, message };
    }
    process.emitWarning(inspect(err));
  } catch {
    process.emitWarning("something was thrown that cannot be shown");
  }
  return SERVER_ERROR;
}

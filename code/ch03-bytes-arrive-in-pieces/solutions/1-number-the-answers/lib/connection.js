import { HttpError } from "./errors.js";
import { keepsAlive } from "./head.js";
import { RequestParser } from "./request-parser.js";
import { formatHead } from "./response.js";

/** @import { Socket } from "node:net" */
/** @import { Request } from "./request-parser.js" */
/** @import { Response } from "./response.js" */

/** One client: its bytes become requests, its answers become bytes. */
export class Connection {
  #socket;
  #handler;
  #parser;
  #isClosing = false;
  #requestCount = 0;

  /**
   * @param {Socket} socket
   * @param {(request: Request) => Response} handler
   */
  constructor(socket, handler) {
    this.#socket = socket;
    this.#handler = handler;
    this.#parser = new RequestParser({
      onRequest: (request) => this.#answer(request),
    });
    socket.on("data", (chunk) => this.#read(chunk));
    socket.on("end", () => this.#end());
    socket.on("error", (err) => {
      // The client hung up. There is nobody left to tell.
      if (err.code === "ECONNRESET" || err.code === "EPIPE") return;
      process.emitWarning(err);
    });
  }

  /** @param {Buffer} chunk */
  #read(chunk) {
    if (this.#isClosing) return;
    try {
      this.#parser.push(chunk);
    } catch (err) {
      this.#refuse(err);
    }
  }

  /** @param {Request} request */
  #answer(request) {
    if (this.#isClosing) return;
    const isLast = !keepsAlive(request);
    const response = this.#number(this.#handler(request));
    const head = formatHead(response, isLast);
    const isHead = request.method === "HEAD";
    this.#socket.write(isHead ? head : head + response.body);
    if (isLast) this.#close();
  }

  /** @param {unknown} err */
  #refuse(err) {
    if (!(err instanceof HttpError)) throw err;
    if (this.#isClosing) return;
    const { statusCode, message } = err;
    const fields = { "content-type": "text/plain" };
    const body = `${message}\n`;
    const response = this.#number({ statusCode, fields, body });
    this.#socket.write(formatHead(response, true) + response.body);
    this.#close();
  }

  /**
   * @param {Response} response to the connection's next request
   * @returns {Response} the same with its number
   */
  #number(response) {
    this.#requestCount += 1;
    const number = String(this.#requestCount);
    const fields = { ...response.fields, "x-request-number": number };
    return { ...response, fields };
  }

  #end() {
    if (this.#parser.isBetweenRequests) this.#close();
    else this.#refuse(new HttpError(400, "the request has no end"));
  }

  #close() {
    this.#isClosing = true;
    this.#socket.end();
  }
}

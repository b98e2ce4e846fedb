import { HttpError } from "./errors.js";
import { keepsAlive } from "./head.js";
import { RequestParser } from "./request-parser.js";
import { formatHead, inChunks } from "./response.js";

/** @import { Socket } from "node:net" */
/** @import { Request } from "./request-parser.js" */
/** @import { Response } from "./response.js" */

/** One client: its bytes become requests, its answers become bytes. */
export class Connection {
  #socket;
  #handler;
  #parser;
  #isClosing = false;

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
    const whole = this.#handler(request);
    const response = request.version === "1.0" ? whole : inChunks(whole);
    this.#socket.write(formatHead(response, isLast));
    if (request.method !== "HEAD") this.#socket.write(response.body);
    if (isLast) this.#close();
  }

  /** @param {unknown} err */
  #refuse(err) {
    if (!(err instanceof HttpError)) throw err;
    if (this.#isClosing) return;
    const { statusCode, message } = err;
    const fields = { "content-type": "text/plain" };
    const response = { statusCode, fields, body: `${message}\n` };
    this.#socket.write(formatHead(response, true) + response.body);
    this.#close();
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

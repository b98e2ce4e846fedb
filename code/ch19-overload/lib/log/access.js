import { cut } from "./text.js";

/** @import { Request } from "../request/request.js" */
/** @import { Response } from "../response/response.js" */

const MOST_AGENT = 256;

/** Watches one answer, and writes a line about it when it is over. */
export class Access {
  #req;
  #res;
  #log;
  #start = performance.now();
  #outer;
  #head = 0;
  #isCut = false;
  #isOver = false;
  #address;
  #bytesBefore;

  /** @param {Request} req @param {Response} res */
  constructor(req, res) {
    const socket = req.keptSocket;
    this.#req = req;
    this.#res = res;
    // Another log(), further in, gives the request another logger.
    this.#log = req.log;
    this.#outer = res.access;
    // Once the socket is closed, it doesn't tell.
    this.#address = req.ip ?? undefined;
    this.#bytesBefore = socket.bytesWritten;
    // In a pipeline other answers come first.
    if (res.socket === null) {
      res.once("socket", () => {
        this.#bytesBefore = socket.bytesWritten;
      });
    }
    // Node's own listener would let the next answer begin.
    res.prependListener("finish", () => this.#end(true));
    res.on("close", () => this.#end(false));
  }

  /** The head is made. In a pipeline it may be sent later. */
  begin() {
    this.#head = performance.now();
    this.#outer?.begin();
  }

  /** The answer is broken off by us. */
  cut() {
    this.#isCut = true;
    this.#outer?.cut();
  }

  #end(isFinished) {
    if (this.#isOver) return;
    this.#isOver = true;
    const now = performance.now();
    const { statusCode, headersSent } = this.#res;
    const fields = {
      ...this.#describeRequest(),
      ...this.#req.trace?.fields,
      status: headersSent ? statusCode : undefined,
      bytes: this.#req.keptSocket.bytesWritten - this.#bytesBefore,
      first_byte_ms: headersSent ? this.#since(this.#head) : undefined,
      last_byte_ms: this.#since(now),
      ended: this.#howEnded(isFinished),
    };
    const level = levelFor(fields);
    this.#log?.[level]("request", fields);
  }

  #describeRequest() {
    const { method, path, url = "", route, headers } = this.#req;
    return {
      method,
      path,
      query: url.includes("?") ? "[redacted]" : undefined,
      route: route?.pattern,
      remote_address: this.#address,
      user_agent: cut(headers["user-agent"] ?? "", MOST_AGENT),
    };
  }

  #since(time) {
    return Math.round((time - this.#start) * 1000) / 1000;
  }

  #howEnded(isFinished) {
    if (this.#req.isTimedOut) return "timed out";
    // It also "finishes" when its socket is closed.
    if (isFinished && !this.#req.keptSocket.destroyed) return "finished";
    return this.#isCut ? "cut" : "client left";
  }
}

function levelFor({ status, ended }) {
  if (status >= 500) return "error";
  return ended === "finished" ? "info" : "warn";
}

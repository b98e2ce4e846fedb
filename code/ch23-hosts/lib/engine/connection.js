import { HttpError } from "../errors.js";
import { CR, LF } from "./bytes.js";
import { Exchange } from "./exchange.js";
import { HeadReader } from "./head.js";
import { HeldBytes } from "./held-bytes.js";
import { Output } from "./output.js";
import { refusalOf } from "./refusal.js";
import { EngineRequest } from "./request.js";
import { EngineResponse } from "./response.js";

/** @import { Socket } from "node:net" */
/** @import { Engine } from "./engine.js" */

// Beyond this we read no more while a request is answered.
const HELD_BYTES = 64 * 1024;

/** One client: its bytes become requests, one after another. */
export class Connection {
  #engine;
  #head;
  #output;
  #exchange;
  #held = new HeldBytes();
  #isReading = false;
  #isPaused = false;
  #isLast = false;
  #isClosing = false;

  /** How many requests have begun. */
  requestCount = 0;
  /** Since which tick of the engine's clock it waits for what it does. */
  since;
  socket;

  /** @param {Socket} socket @param {Engine} engine */
  constructor(socket, engine) {
    this.socket = socket;
    this.since = engine.tick;
    this.#engine = engine;
    this.#head = new HeadReader(engine.limits);
    this.#output = new Output(socket, () => this.#drain());
    this.#exchange = new Exchange(socket);
    this.listeners = {
      drain: () => this.#drain(),
      end: () => this.#end(),
      timeout: () => this.#timeOut(),
      error: (err) => this.#fail(err),
      close: () => this.#close(),
    };
    for (const [name, listener] of Object.entries(this.listeners)) {
      socket.on(name, listener);
    }
  }

  // Whether another request may begin.
  get #isFree() {
    return this.#exchange.req === null && !this.#output.isFull;
  }

  /** What it waits for. */
  get state() {
    const { isSending } = this.#output;
    if (this.#isClosing) return isSending ? "sending" : "closing";
    if (this.#exchange.hasBody) return "body";
    if (this.#exchange.req !== null) return "answer";
    if (isSending) return "sending";
    return this.#hasHead ? "head" : "idle";
  }

  // Whether more is held than the empty line that some send after a body.
  get #hasHead() {
    const { bytes, start, end } = this.#held;
    return behindEmptyLine(bytes, start, end) < end;
  }

  /** @param {Buffer} bytes which will be overwritten */
  read(bytes, start, end) {
    if (this.#isClosing) return;
    const held = this.#held;
    if (held.length === 0) {
      const at = this.#readAll(bytes, start, end);
      if (at === end) return;
      held.append(bytes, at, end);
      this.#checkHeld();
      return;
    }
    const isFirst = !this.#hasHead;
    if (isFirst) this.since = this.#engine.tick;
    const hasLine = held.append(bytes, start, end);
    const isLong = held.length > this.#engine.limits.headBytes;
    const isDue = isFirst || hasLine || isLong;
    if (this.#isFree && isDue) this.#readHeld();
    else this.#checkHeld();
  }

  #readHeld() {
    const held = this.#held;
    held.keepFrom(this.#readAll(held.bytes, held.start, held.end));
    this.#checkHeld();
  }

  // Gives how far it has come.
  #readAll(bytes, start, end) {
    this.#isReading = true;
    let at = start;
    try {
      while (at < end && !this.#isClosing) {
        const next = this.#readOn(bytes, at, end);
        if (next === -1) break;
        at = next;
      }
    } catch (err) {
      this.#refuse(err);
    } finally {
      this.#isReading = false;
    }
    this.#flush();
    return this.#isClosing ? end : at;
  }

  // Gives how far it has read; -1 to wait for more, or for the answer.
  #readOn(bytes, start, end) {
    if (this.#exchange.hasBody) {
      const next = this.#exchange.readBody(bytes, start, end);
      // It may end behind the answer, and the client is idle from here on.
      if (!this.#exchange.hasBody) this.since = this.#engine.tick;
      return next;
    }
    if (!this.#isFree || this.#isLast) return -1;
    const at = behindEmptyLine(bytes, start, end);
    if (at === end) return -1;
    if (this.#held.length === 0) this.since = this.#engine.tick;
    const next = this.#head.read(bytes, at, end);
    if (next !== -1) this.#begin(bytes, next, end);
    return next;
  }

  #begin(bytes, at, end) {
    const head = this.#head;
    const req = new EngineRequest(this.socket, head);
    this.requestCount += 1;
    this.#exchange.begin(req, this.#engine.limits);
    if (head.framing.asksForUpgrade || head.method === "CONNECT") {
      if (this.#isHandedOver(req, bytes.subarray(at, end))) return;
    }
    const res = new EngineResponse(req, this);
    res.shouldKeepAlive = head.framing.keepsAlive;
    this.#exchange.res = res;
    // The request has taken these, and an idle connection keeps none.
    head.method = "";
    head.target = "";
    head.text = "";
    this.#engine.dispatch(req, res, this);
  }

  /** Sends all of an answer. */
  send(res, head, body, isAscii) {
    this.#output.add(res, head, body, isAscii);
    this.#finish(res);
  }

  /** Gives an answer the socket: node:http's own code writes it. */
  attach(res) {
    const { socket } = this;
    if (socket.destroyed) return;
    this.#output.flush();
    res.assignSocket(socket);
    res.once("finish", () => {
      if (socket._httpMessage !== res) return;
      res.detachSocket(socket);
      process.nextTick(emitClose, res);
      this.#finish(res);
    });
  }

  #finish(res) {
    this.since = this.#engine.tick;
    // What a handler has set ends with its answer, also a 0.
    const isSet = this.socket.timeout !== undefined;
    if (isSet) this.#engine.resetTimeout(this.socket);
    if (res._last) this.#isLast = true;
    this.#exchange.finish();
    // What the handler does after its answer comes first.
    if (!this.#isReading) process.nextTick(goOn, this);
  }

  /** Goes on when an answer is finished. */
  goOn() {
    this.#flush();
    if (this.#isClosing || this.socket.destroyed) return;
    if (this.#isPaused) this.socket.resume();
    this.#isPaused = false;
    if (this.#held.length > 0) this.#readHeld();
  }

  #flush() {
    this.#output.flush();
    if (this.#isLast && !this.#isClosing) this.#closeInStages();
  }

  #drain() {
    this.#output.isFull = false;
    this.#exchange.res?.drain();
    if (this.#exchange.req === null) this.goOn();
  }

  #checkHeld() {
    if (this.#isFree || this.#held.length <= HELD_BYTES) return;
    this.#isPaused = true;
    this.socket.pause();
  }

  /** Answers what is no request, and closes. @param {any} err */
  refuse(err) {
    this.#refuse(err);
    this.#flush();
  }

  #refuse(err) {
    if (!(err instanceof HttpError)) throw err;
    const { req, res } = this.#exchange;
    const isAnswered = req !== null && res === null;
    // Half an answer can't be followed by another one.
    if (res?.headersSent) this.socket.destroy();
    this.#exchange.abandon();
    // A listener may write, and the answers before come first.
    this.#output.flush();
    if (!isAnswered && this.#engine.tellClientError(err, this.socket)) {
      this.#isClosing = true;
      this.since = this.#engine.tick;
      return;
    }
    const isHead = (req?.method ?? this.#head.method) === "HEAD";
    const answer = isAnswered ? "" : refusalOf(err, isHead);
    this.#output.add(null, answer, "", true);
    this.#isLast = true;
  }

  // RFC 9112, section 9.6: what still comes is read and dropped.
  #closeInStages() {
    const { req } = this.#exchange;
    this.#isClosing = true;
    this.since = this.#engine.tick;
    this.#held.clear();
    if (req !== null && !req.complete) req.dropBody();
    this.socket.end();
    this.socket.resume();
  }

  #end() {
    if (this.#isClosing) return;
    const { state } = this;
    if (state === "idle" || state === "sending") this.#closeInStages();
    else if (state === "answer") this.socket.end();
    else {
      this.refuse(new HttpError(400, "the request has no end"));
    }
  }

  #timeOut() {
    const { req, res } = this.#exchange;
    const { socket } = this;
    const isComing = req !== null && !req.complete;
    const isHeard = [
      isComing && req.emit("timeout", socket),
      res?.emit("timeout", socket),
      this.#engine.tellTimeout(socket),
    ];
    if (!isHeard.includes(true)) socket.destroy();
  }

  #fail(err) {
    const isDealtWith = this.#engine.tellClientError(err, this.socket);
    if (!isDealtWith) this.socket.destroy();
  }

  #close() {
    this.#isClosing = true;
    this.#engine.delete(this);
    this.#exchange.close();
  }

  // The connection may be for another protocol from here on.
  #isHandedOver(req, rest) {
    const name = this.#engine.handOverFor(req);
    if (name === null) return false;
    this.#output.flush();
    this.#isClosing = true;
    for (const [event, listener] of Object.entries(this.listeners)) {
      this.socket.off(event, listener);
    }
    this.#engine.handOver(name, req, this, Buffer.from(rest));
    return true;
  }
}

function goOn(connection) {
  connection.goOn();
}

function emitClose(res) {
  res.destroyed = true;
  res._closed = true;
  res.emit("close");
}

// RFC 9112, section 2.2: one empty line before a request is forgiven.
function behindEmptyLine(bytes, start, end) {
  if (bytes[start] !== CR) return start;
  if (start + 1 === end) return end;
  return bytes[start + 1] === LF ? start + 2 : start;
}

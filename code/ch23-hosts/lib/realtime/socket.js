import { EventEmitter } from "node:events";
import {
  BROKEN_OFF,
  encodeClose,
  readClose,
  SERVER_FAILED,
} from "./close.js";
import { CLOSE, encodeFrame, encodeMessage, PING, PONG } from "./frame.js";
import { FrameReader } from "./frame-reader.js";
import { HeldMessages } from "./held-messages.js";
import { Messages } from "./messages.js";
import { ProtocolError } from "./protocol-error.js";

/** @import { Socket } from "node:net" */
/** @import { Heartbeat } from "./heartbeat.js" */

/**
 * @typedef {object} SocketSettings
 * @property {number} messageBytes
 * @property {number} fragments
 * @property {number} bufferedBytes
 * @property {Heartbeat} heartbeat
 */

// How long a client may take to close, in milliseconds.
const CLOSE_TIMEOUT = 5_000;

/**
 * The server's end of a WebSocket. Its events are `message`, with a string
 * or a Buffer, `drain`, when there is room again, and once `close`, with a
 * code and a reason.
 */
export class ServerSocket extends EventEmitter {
  /** The subprotocol that both speak, or an empty string. */
  protocol;

  #connection;
  #frames;
  /** @type {HeldMessages | null} for the time until somebody listens */
  #held;
  #settings;
  #tell;
  #isCloseSent = false;
  #isOver = false;
  #code = BROKEN_OFF;
  #reason = "";
  #silentBeats = 0;
  /** @type {NodeJS.Timeout | undefined} */
  #closeTimer;

  /**
   * @param {object} parts
   * @param {Socket} parts.connection
   * @param {string} parts.protocol
   * @param {(err: unknown) => void} parts.tell is told what listeners throw
   * @param {SocketSettings} settings
   */
  constructor({ connection, protocol, tell }, settings) {
    super({ captureRejections: true });
    this.protocol = protocol;
    this.#connection = connection;
    this.#settings = settings;
    this.#tell = tell;
    this.#held = new HeldMessages(settings);
    const taker = {
      message: (data) => this.#takeMessage(data),
      control: (opcode, payload) => this.#takeControl(opcode, payload),
    };
    this.#frames = new FrameReader(new Messages(taker, settings));
    this.on("newListener", (name) => {
      if (name === "message") process.nextTick(() => this.release());
    });
    connection.on("drain", () => this.#emit("drain"));
    connection.on("close", () => this.#finish());
    settings.heartbeat.add(this);
  }

  /** Whether something can be sent. */
  get isOpen() {
    return !this.#isCloseSent && this.#connection.writable;
  }

  /** How many bytes wait for the client. */
  get bufferedBytes() {
    return this.#connection.writableLength;
  }

  /**
   * Sends a message, or nothing if the socket isn't open any more.
   *
   * @param {string | Uint8Array} data a string goes as text
   * @returns {boolean} whether there is room; if not, `drain` tells of it
   * @throws {UsageError} ERR_MESSAGE_INVALID
   */
  send(data) {
    return this.sendFrame(encodeMessage(data));
  }

  /** @param {Buffer} frame for one socket or for many */
  sendFrame(frame) {
    if (!this.isOpen) return false;
    if (this.bufferedBytes > this.#settings.bufferedBytes) {
      this.#reason = "the client reads too slowly";
      this.terminate();
      return false;
    }
    const hasRoom = this.#connection.write(frame);
    // Only what the kernel doesn't take is the client's fault.
    if (!hasRoom && this.#connection.writableCorked > 0) {
      this.#connection.uncork();
      this.#connection.cork();
    }
    return hasRoom;
  }

  /** Asks whether the client is there. */
  ping() {
    return this.sendFrame(encodeFrame(PING, ""));
  }

  /**
   * Closes the socket. The client is told why, and answers.
   *
   * @param {number} [code] 1000 to 1003, 1007 to 1014, 3000 to 4999, or
   *   1005 to send none
   * @param {string} [reason] at most 123 bytes
   * @throws {UsageError} ERR_CLOSE_INVALID
   */
  close(code = 1000, reason = "") {
    const frame = encodeFrame(CLOSE, encodeClose(code, reason));
    if (!this.isOpen) return;
    this.sendFrame(frame);
    this.#isCloseSent = true;
    const cut = () => this.terminate();
    this.#closeTimer = setTimeout(cut, CLOSE_TIMEOUT);
  }

  /** Cuts the connection. */
  terminate() {
    this.#connection.destroy();
  }

  /** @param {Buffer} early what came with the handshake */
  read(early) {
    const connection = this.#connection;
    if (early.length > 0) this.#read(early);
    connection.on("data", (chunk) => this.#read(chunk));
    connection.on("end", () => connection.end());
  }

  /** Emits the messages that have come, and those that will come. */
  release() {
    const messages = this.#held?.messages ?? [];
    this.#held = null;
    for (const data of messages) this.#takeMessage(data);
  }

  /** Is called now and then, to find out who has left without a word. */
  beat() {
    this.#silentBeats += 1;
    if (this.#silentBeats === 2) this.ping();
    else if (this.#silentBeats > 2) this.terminate();
  }

  /** Ends what has gone wrong here. @param {unknown} err */
  fail(err) {
    this.close(SERVER_FAILED);
    this.#tell(err);
  }

  // Node calls this when an asynchronous listener fails.
  [Symbol.for("nodejs.rejection")](err) {
    this.fail(err);
  }

  #read(chunk) {
    this.#silentBeats = 0;
    if (this.#isOver) return;
    // What is sent meanwhile goes out together.
    this.#connection.cork();
    try {
      this.#frames.push(chunk);
    } catch (err) {
      if (!(err instanceof ProtocolError)) throw err;
      this.close(err.closeCode, err.message);
      this.#end(err.closeCode, err.message);
    }
    this.#connection.uncork();
  }

  #takeMessage(data) {
    if (this.#held !== null) this.#held.add(data);
    else if (this.isOpen || this.#isOver) this.#emit("message", data);
  }

  #takeControl(opcode, payload) {
    if (opcode === PONG) return;
    if (opcode === PING) {
      this.sendFrame(encodeFrame(PONG, payload));
      return;
    }
    const { code, reason } = readClose(payload);
    this.close(code);
    this.#end(code, reason);
  }

  // Nothing more is read. The server is the first to end the connection
  // (RFC 6455, section 7.1.1), and waits for the client's end.
  #end(code, reason) {
    this.#isOver = true;
    this.#frames.stop();
    this.#code = code;
    this.#reason = reason;
    this.#connection.end();
  }

  #finish() {
    this.#isOver = true;
    clearTimeout(this.#closeTimer);
    this.#settings.heartbeat.delete(this);
    this.#emit("close", this.#code, this.#reason);
  }

  #emit(name, ...values) {
    try {
      this.emit(name, ...values);
    } catch (err) {
      this.fail(err);
    }
  }
}

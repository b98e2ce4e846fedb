import { Duplex } from "node:stream";

// As they were when this was loaded: a test may put others in their place.
const { clearTimeout, setImmediate, setTimeout } = globalThis;

// Less than a kernel keeps, so that a writer has to wait sooner.
const WINDOW_BYTES = 256 * 1024;

const RESET = Symbol("reset");

/** One end of a connection in memory. */
export class MemorySocket extends Duplex {
  remoteAddress = "127.0.0.1";
  remoteFamily = "IPv4";
  remotePort = 1;
  localAddress = "127.0.0.1";
  localPort = 1;
  timeout = 0;
  bytesWritten = 0;

  /** @type {MemorySocket} */
  #other = this;
  /**
   * What has come and isn't taken yet: bytes, and null for the end.
   *
   * @type {any[]}
   */
  #arriving = [];
  #arrivingBytes = 0;
  #isWanted = false;
  /** @type {((err?: Error) => void) | null} tells who waits for room */
  #tellRoom = null;
  /** @type {NodeJS.Timeout | undefined} */
  #timer;

  /** @returns {[MemorySocket, MemorySocket]} the client's end, the server's */
  static pair() {
    const client = new MemorySocket({ allowHalfOpen: false });
    const server = new MemorySocket({ allowHalfOpen: true });
    client.#other = server;
    server.#other = client;
    return [client, server];
  }

  _write(chunk, _encoding, callback) {
    this.#timer?.refresh();
    this.bytesWritten += chunk.length;
    // Whoever writes may use the bytes again.
    const other = this.#other;
    if (other.destroyed) {
      setImmediate(callback, failure("write", "EPIPE"));
      return;
    }
    other.#arrive(Buffer.from(chunk));
    other.#arrivingBytes += chunk.length;
    if (other.#arrivingBytes < WINDOW_BYTES) callback();
    else other.#tellRoom = callback;
  }

  _final(callback) {
    this.#other.#arrive(null);
    callback();
  }

  _read() {
    this.#isWanted = true;
    this.#takeSoon();
  }

  #arrive(item) {
    this.#arriving.push(item);
    this.#takeSoon();
  }

  // Never at once: on a network it takes a while, too.
  #takeSoon() {
    setImmediate(() => this.#take());
  }

  #take() {
    if (!this.#isWanted || this.#arriving.length === 0) return;
    this.#isWanted = false;
    const item = this.#next();
    this.#timer?.refresh();
    if (item === RESET) {
      this.destroy(failure("read", "ECONNRESET"));
      return;
    }
    this.#arrivingBytes -= item?.length ?? 0;
    this.push(item);
    if (this.#arrivingBytes < WINDOW_BYTES) this.#callRoom();
  }

  // A read gets all bytes that are there, in however many pieces they came.
  #next() {
    const end = this.#arriving.findIndex((item) => !Buffer.isBuffer(item));
    if (end === 0) return this.#arriving.shift();
    const count = end === -1 ? this.#arriving.length : end;
    return Buffer.concat(this.#arriving.splice(0, count));
  }

  #callRoom(err) {
    const tell = this.#tellRoom;
    this.#tellRoom = null;
    tell?.(err);
  }

  _destroy(err, callback) {
    clearTimeout(this.#timer);
    if (this.#arrivingBytes > 0) this.#other.#arrive(RESET);
    else this.#other.#arrive(null);
    this.#callRoom(failure("write", "ECONNRESET"));
    callback(err);
  }

  /** Breaks the connection off, whatever was read. */
  resetAndDestroy() {
    this.#other.#arrive(RESET);
    return this.destroy();
  }

  /** Closes when all is sent. */
  destroySoon() {
    if (this.writable) this.end();
    if (this.writableFinished) this.destroy();
    else this.once("finish", () => this.destroy());
  }

  setTimeout(milliseconds, callback) {
    clearTimeout(this.#timer);
    this.timeout = milliseconds;
    if (milliseconds === 0) {
      this.#timer = undefined;
      if (callback !== undefined) this.off("timeout", callback);
      return this;
    }
    if (callback !== undefined) this.once("timeout", callback);
    this.#timer = setTimeout(() => this.emit("timeout"), milliseconds);
    this.#timer.unref();
    return this;
  }
}

// What a connection in memory has no use for.
for (const name of ["setNoDelay", "setKeepAlive", "ref", "unref"]) {
  MemorySocket.prototype[name] = function ignore() {
    return this;
  };
}

function failure(syscall, code) {
  return Object.assign(new Error(`${syscall} ${code}`), { code, syscall });
}

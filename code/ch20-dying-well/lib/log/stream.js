/** A stream of somebody else's, which does its own buffering. */
export class StreamSink {
  #stream;
  /** @type {Error | null} */
  #failure = null;

  /** @param {import("node:stream").Writable} stream */
  constructor(stream) {
    this.#stream = stream;
    // Without a listener it would end the process.
    stream.on("error", (err) => {
      this.#failure = err;
    });
  }

  prepare() {
    return undefined;
  }

  write(bytes, done) {
    const failure = this.#failure ?? this.#closed();
    if (failure !== null) {
      done(failure, 0);
      return;
    }
    this.#stream.write(bytes, (err) => {
      if (err) done(err, 0);
      else done(null, bytes.length);
    });
  }

  #closed() {
    const isOpen = this.#stream.writable;
    return isOpen ? null : new Error("the stream is closed");
  }

  writeSync(bytes) {
    const failure = this.#failure ?? this.#closed();
    if (failure !== null) throw failure;
    this.#stream.write(bytes);
    return bytes.length;
  }

  // What the stream has taken over is its own affair.
  catchUp(bytes) {
    return bytes;
  }

  close() {}
}

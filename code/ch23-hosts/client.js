import net from "node:net";

/** A client that notes what it sees, and when. */
export class Client {
  #socket;
  #start = 0;
  #seen = [];

  constructor(port) {
    this.#socket = net.connect(port);
    this.#socket.on("data", (chunk) => this.#read(chunk));
    this.#socket.on("error", (err) => this.#see(err.code));
    this.#socket.on("end", () => this.#see("closed"));
  }

  send(bytes) {
    if (bytes && this.#socket.writable) this.#socket.write(bytes);
  }

  /** Begins to note. */
  watch() {
    this.#start = performance.now();
  }

  #read(chunk) {
    // A WebSocket's Close, and its code.
    if (chunk[0] === 0x88) this.#see(`${chunk.readUInt16BE(2)}`);
    const text = String(chunk);
    for (const [head] of text.matchAll(/HTTP[\s\S]*?\r\n\r\n/g)) {
      const isLast = /^connection: close\r$/im.test(head);
      this.#see(isLast ? "last answer" : "answer");
    }
    if (text.startsWith("0\r\n\r\n")) this.#see("its end");
  }

  #see(what) {
    if (this.#start === 0) return;
    const seconds = (performance.now() - this.#start) / 1000;
    this.#seen.push(`${what} (${seconds.toFixed(1)} s)`);
  }

  toString() {
    return this.#seen.join(", ");
  }
}

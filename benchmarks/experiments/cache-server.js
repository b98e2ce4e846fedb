/**
 * The cache of chapter 28 with one thing otherwise, for experiments/cache.js:
 *
 *     node benchmarks/experiments/cache-server.js plain|buffers|strings PORT
 *
 * `plain` reads by `data` and answers by `socket.write`, `buffers` writes
 * Buffers, and `strings` is 2013's: each chunk a string, a `Map` behind it.
 */
import { createServer } from "node:net";
import process from "node:process";

const CACHE = new URL("../../code/ch28-cache/lib/", import.meta.url);
const { Cache } = await import(new URL("cache.js", CACHE).href);
const { Connection } = await import(new URL("connection.js", CACHE).href);
const [way, port] = process.argv.slice(2);
const cache = new Cache();
/** @type {Map<string, { flags: string, data: string }>} */
const items = new Map();

/** @param {string} text */
function answerTo(text) {
  const [line, data] = text.split("\r\n");
  const [command, key, flags] = line.split(" ");
  if (command === "set") {
    items.set(key, { flags, data });
    return "STORED\r\n";
  }
  const item = items.get(key);
  if (item === undefined) return "END\r\n";
  return `VALUE ${key} ${item.flags} ${item.data.length}\r\n${item.data}\r\nEND\r\n`;
}

createServer({ noDelay: true }, (socket) => {
  socket.on("error", () => {});
  if (way === "strings") {
    socket.setEncoding("utf8");
    socket.on("data", (text) => socket.write(answerTo(String(text))));
    return;
  }
  const connection = new Connection(cache, (/** @type {string} */ text) =>
    way === "buffers" ? socket.write(Buffer.from(text, "latin1")) : socket.write(text, "latin1"),
  );
  socket.on("data", (bytes) => connection.read(bytes, 0, bytes.length));
}).listen(Number(port));

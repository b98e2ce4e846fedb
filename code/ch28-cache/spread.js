import { once } from "node:events";
import { connect } from "node:net";
import { crc32 } from "node:zlib";

const ports = process.argv.slice(2).map(Number);

async function open() {
  const sockets = ports.map((port) => connect(port, "127.0.0.1"));
  await Promise.all(sockets.map((socket) => once(socket, "connect")));
  return sockets;
}

/** Each key has its server. */
const serverOf = (key) => crc32(key) % ports.length;

async function ask(sockets, key, text) {
  const socket = sockets[serverOf(key)];
  socket.write(text);
  const [answer] = await once(socket, "data");
  return answer.toString("latin1");
}

const keys = Array.from({ length: 1000 }, (_, n) => `key:${n}`);
const first = await open();
for (const key of keys) await ask(first, key, `set ${key} 0 0 1\r\nx\r\n`);

const second = await open();
let hits = 0;
for (const key of keys) {
  const answer = await ask(second, key, `get ${key}\r\n`);
  if (answer.startsWith("VALUE")) hits++;
}
console.log(`${hits} of ${keys.length} found`);
for (const socket of [...first, ...second]) socket.destroy();

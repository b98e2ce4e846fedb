import { once } from "node:events";
import net from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

const port = Number(process.env.PORT ?? 3000);
const [path, count] = process.argv.slice(2);

async function abort() {
  const socket = net.connect(port, "localhost");
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  await once(socket, "data");
  socket.destroy();
}

async function countOpen() {
  const response = await fetch(`http://localhost:${port}/open`);
  return Number(await response.text());
}

const before = await countOpen();
for (let i = 0; i < Number(count); i += 1) await abort();
// The server needs a moment to see that a client has left.
await sleep(1000);
const more = (await countOpen()) - before;
console.log(`aborted: ${count}, more open: ${more}`);

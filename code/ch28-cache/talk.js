import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

const [port, ...pieces] = process.argv.slice(2);
const socket = connect({ port: Number(port), noDelay: true });
socket.on("data", (bytes) => process.stdout.write(bytes));
await once(socket, "connect");
for (const piece of pieces) {
  socket.write(piece.replaceAll("\\r\\n", "\r\n"));
  await delay(200);
}
socket.end();

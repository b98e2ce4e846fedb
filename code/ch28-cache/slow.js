import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

const socket = connect({ port: Number(process.argv[2]), noDelay: true });
const data = "x".repeat(1_000_000);
socket.write(`set big 0 0 ${data.length}\r\n${data}\r\n`);
await once(socket, "data");
socket.pause();
for (let n = 0; n < 64; n++) {
  socket.write("get big\r\n");
  await delay(2);
}

let bytes = 0;
socket.on("data", (chunk) => {
  bytes += chunk.length;
});
socket.resume();
await delay(2000);
const came = Math.floor(bytes / data.length);
console.log(came === 64 ? "all values came" : "some never came");
socket.destroy();

import { connect } from "node:net";

const request = `GET / HTTP/1.1\r\nHost: ${"x".repeat(1_000)}\r\n\r\n`;
const requests = request.repeat(50);
const socket = connect(Number(process.env.PORT ?? 3000));
socket.pause();
socket.on("error", () => finish("the server hung up"));

let sent = 0;
function send() {
  while (sent < 20_000_000) {
    sent += requests.length;
    if (!socket.write(requests)) return;
  }
  finish("the server took everything");
}
socket.on("drain", send);
send();
setTimeout(() => finish("the server stopped reading"), 3_000);

function finish(outcome) {
  console.log(outcome);
  process.exit();
}

import { connect } from "node:net";

const port = Number(process.env.PORT ?? 3000);
const socket = connect({ port, allowHalfOpen: true });
socket.on("data", (chunk) => console.log(`${chunk}`.split("\r\n")[0]));
socket.on("error", () => finish("the server hung up"));
setTimeout(() => finish("the server still listens"), 9_000);

const head =
  "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9000000\r\n\r\n";
socket.write(head);
setInterval(() => socket.write("x".repeat(1_000)), 100);

function finish(outcome) {
  console.log(outcome);
  process.exit();
}

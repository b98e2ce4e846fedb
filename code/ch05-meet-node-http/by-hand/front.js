import { connect, createServer } from "node:net";

const [port, backPort] = process.argv.slice(2);
const waiting = [];
let back;

const server = createServer((client) => {
  let request = "";
  client.setEncoding("latin1");
  client.on("data", (piece) => {
    request += piece;
    if (!isComplete(request)) return;
    waiting.push(client);
    back ??= open();
    back.write(request, "latin1");
    request = "";
  });
});
server.listen(port, () => console.log(`in front of ${backPort}`));

function isComplete(request) {
  const [head, body] = request.split(/\r\n\r\n(.*)/s);
  const [, length] = /content-length: (\d+)/i.exec(head) ?? ["", 0];
  return body?.length === Number(length);
}

function open() {
  const socket = connect(backPort);
  socket.on("data", (answer) => waiting.shift()?.write(answer));
  socket.on("close", () => (back = undefined));
  return socket;
}

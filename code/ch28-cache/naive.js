import { createServer } from "node:net";

const items = new Map();

function answerTo(text) {
  const [line, data] = text.split("\r\n");
  const [command, key, flags] = line.split(" ");
  if (command === "set") {
    items.set(key, { flags, data });
    return "STORED\r\n";
  }
  if (command !== "get") return "ERROR\r\n";
  const item = items.get(key);
  if (item === undefined) return "END\r\n";
  const head = `VALUE ${key} ${item.flags} ${item.data.length}`;
  return `${head}\r\n${item.data}\r\nEND\r\n`;
}

const server = createServer((socket) => {
  socket.on("data", (chunk) => socket.write(answerTo(String(chunk))));
});
server.listen(Number(process.argv[2]), "127.0.0.1", () => {
  console.log(`listening on ${server.address().port}`);
});

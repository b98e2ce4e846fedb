import net from "node:net";

const [path, ...words] = process.argv.slice(2);
const { PORT = 3000, ORIGIN } = process.env;
const socket = net.connect(Number(PORT));
const lines = [
  `GET ${path} HTTP/1.1`,
  `Host: localhost:${PORT}`,
  "Connection: Upgrade",
  "Upgrade: websocket",
  "Sec-WebSocket-Version: 13",
  "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
];
if (ORIGIN !== undefined) lines.push(`Origin: ${ORIGIN}`);
socket.write(`${lines.join("\r\n")}\r\n\r\n`);

let isOpen = false;
let bytes = Buffer.alloc(0);
socket.on("data", (chunk) => {
  bytes = Buffer.concat([bytes, chunk]);
  if (!isOpen) readHead();
  if (isOpen) readFrames();
});
socket.on("end", () => finish("the server closed the connection"));
socket.on("error", (err) => finish(err.code));
socket.setTimeout(500, () => finish("the connection is still open"));

function readHead() {
  const end = bytes.indexOf("\r\n\r\n");
  if (end === -1) return;
  const [status] = bytes.toString("latin1", 0, end).split("\r\n");
  console.log(status);
  bytes = bytes.subarray(end + 4);
  isOpen = status.startsWith("HTTP/1.1 101");
  if (isOpen) for (const word of words) socket.write(frameOf(word));
}

const FIRST = { text: 0x81, part: 0x01, more: 0x80, ping: 0x89 };
const NAMES = { 1: "text", 2: "binary", 8: "close", 9: "ping", 10: "pong" };

function frameOf(word) {
  const [, name, text] = /^(\w+):?(.*)$/s.exec(word);
  if (name === "hex") return Buffer.from(text, "hex");
  const payload = Buffer.from(text);
  // A mask of zeros changes nothing.
  const head = [FIRST[name], 0x80 | payload.length, 0, 0, 0, 0];
  return Buffer.concat([Buffer.from(head), payload]);
}

function readFrames() {
  while (bytes.length > 1 && bytes.length >= 2 + bytes[1]) {
    const payload = bytes.subarray(2, 2 + bytes[1]);
    const name = NAMES[bytes[0] & 0x0f];
    const isClose = name === "close" && payload.length > 1;
    const code = isClose ? `${payload.readUInt16BE()} ` : "";
    console.log(`${name}: ${code}${payload.subarray(isClose ? 2 : 0)}`);
    bytes = bytes.subarray(2 + bytes[1]);
  }
}

function finish(outcome) {
  if (!isOpen && bytes.length > 0) process.stdout.write(bytes);
  console.log(`-- ${outcome}`);
  process.exit();
}

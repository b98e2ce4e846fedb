import { createServer } from "node:net";

/** Bytes in a row. */
const WIDTH = 16;

const server = createServer((socket) => {
  let offset = 0;
  // The client hung up. There is nobody left to tell.
  socket.on("error", () => {});
  socket.on("data", (chunk) => {
    for (let at = 0; at < chunk.length; at += WIDTH) {
      const bytes = chunk.subarray(at, at + WIDTH);
      console.log(formatRow(offset + at, bytes));
    }
    offset += chunk.length;
  });
});

/**
 * @param {number} offset of the first byte
 * @param {Buffer} bytes at most WIDTH
 */
function formatRow(offset, bytes) {
  const digits = (number, count) =>
    number.toString(16).padStart(count, "0");
  const hex = Array.from(bytes, (byte) => digits(byte, 2)).join(" ");
  const text = bytes.toString("latin1").replace(/[^\x20-\x7e]/g, ".");
  const columns = [
    digits(offset, 8),
    hex.padEnd(3 * WIDTH - 1),
    `|${text.padEnd(WIDTH)}|`,
  ];
  return columns.join(" ");
}

server.listen(Number(process.env.PORT ?? 3000), () => {
  console.log(`listening on http://localhost:${server.address().port}`);
});

import { createServer } from "node:net";

const server = createServer((socket) => {
  // The client hung up. There is nobody left to tell.
  socket.on("error", () => {});
  socket.on("data", (chunk) => {
    console.log(JSON.stringify(chunk.toString()));
    socket.end(
      "HTTP/1.1 200 OK\r\n" +
        `Date: ${new Date().toUTCString()}\r\n` +
        "Content-Type: text/plain\r\n" +
        "Content-Length: 6\r\n" +
        "Connection: close\r\n" +
        "\r\n" +
        "Hello\n",
    );
  });
});

server.listen(Number(process.env.PORT ?? 3000), () => {
  console.log(`listening on http://localhost:${server.address().port}`);
});

import { createServer } from "node:net";

let visits = 0;

const server = createServer((socket) => {
  // The client hung up. There is nobody left to tell.
  socket.on("error", () => {});
  // Once: a request that comes in two pieces is one visit.
  socket.once("data", (chunk) => {
    console.log(JSON.stringify(chunk.toString()));
    visits += 1;
    const page = `<h1>Visit № ${visits}</h1>\n`;
    socket.end(
      "HTTP/1.1 200 OK\r\n" +
        `Date: ${new Date().toUTCString()}\r\n` +
        "Content-Type: text/html; charset=utf-8\r\n" +
        `Content-Length: ${Buffer.byteLength(page)}\r\n` +
        "Connection: close\r\n" +
        "\r\n" +
        page,
    );
  });
});

server.listen(Number(process.env.PORT ?? 3000), () => {
  console.log(`listening on http://localhost:${server.address().port}`);
});

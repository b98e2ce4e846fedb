// What a Node.js process can do with a socket when it does almost nothing:
// it finds the end of a request's head and believes its first line. No limits,
// no bodies, no errors: not a server to use.
import { createServer } from "node:net";

const prefix = "/bench/";
let date = new Date().toUTCString();
setInterval(() => {
  date = new Date().toUTCString();
}, 1000).unref();

/** The value of `id` in a query string, or null. */
function findId(query) {
  for (const pair of query.split("&")) {
    if (pair.startsWith("id=")) return decodeURIComponent(pair.slice(3).replaceAll("+", " "));
  }
  return null;
}

function answer(target) {
  const question = target.indexOf("?");
  const path = question === -1 ? target : target.slice(0, question);
  if (!path.startsWith(prefix)) return "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n";
  const body = JSON.stringify({
    name: decodeURIComponent(path.slice(prefix.length)),
    id: question === -1 ? null : findId(target.slice(question + 1)),
  });
  return (
    "HTTP/1.1 200 OK\r\nx-powered-by: benchmark\r\ncontent-type: application/json\r\n" +
    "connection: keep-alive\r\nkeep-alive: timeout=5\r\n" +
    `content-length: ${Buffer.byteLength(body)}\r\ndate: ${date}\r\n\r\n${body}`
  );
}

const server = createServer({ noDelay: true }, (socket) => {
  let received = "";
  socket.on("error", () => {});
  socket.on("data", (chunk) => {
    received += chunk.latin1Slice();
    let answers = "";
    for (let end = received.indexOf("\r\n\r\n"); end !== -1; end = received.indexOf("\r\n\r\n")) {
      answers += answer(received.slice(received.indexOf(" ") + 1, received.indexOf(" HTTP/")));
      received = received.slice(end + 4);
    }
    if (answers !== "") socket.write(answers);
  });
});

server.listen(Number(process.env.PORT ?? 3000), () => {
  console.log(`listening on http://localhost:${server.address().port}`);
});

// What reading and writing cost a Node.js process: it counts the ends of
// heads and writes the same answer for each. It looks at nothing else, and is
// no server to use.
import { createServer } from "node:net";

const END = "\r\n\r\n";
const BODY = '{"name":"testing","id":"10"}';

let answer = "";

function makeAnswer() {
  answer =
    "HTTP/1.1 200 OK\r\nx-powered-by: benchmark\r\ncontent-type: application/json\r\n" +
    `content-length: ${BODY.length}\r\nDate: ${new Date().toUTCString()}\r\n` +
    `Connection: keep-alive\r\nKeep-Alive: timeout=5\r\n\r\n${BODY}`;
}

makeAnswer();
setInterval(makeAnswer, 1000).unref();

const server = createServer({ noDelay: true }, (socket) => {
  let rest = "";
  socket.on("error", () => {});
  socket.on("data", (chunk) => {
    const text = rest + chunk.latin1Slice();
    let answers = "";
    let from = 0;
    for (let end = text.indexOf(END); end !== -1; end = text.indexOf(END, from)) {
      answers += answer;
      from = end + END.length;
    }
    rest = text.slice(from);
    if (answers !== "") socket.write(answers, "latin1");
  });
});

server.listen(Number(process.env.PORT ?? 3000), () => {
  console.log(`listening on http://localhost:${server.address().port}`);
});

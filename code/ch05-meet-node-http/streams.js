import { createServer } from "node:http";

const server = createServer((req, res) => {
  console.log(`${req.method} ${req.url}`);
  let length = 0;
  req.on("data", (piece) => {
    length += piece.length;
    console.log(`${length} bytes so far`);
    res.write(`${length}\n`);
  });
  req.on("end", () => {
    const { destroyed } = req.socket;
    console.log(`the end of ${req.url}, destroyed: ${destroyed}`);
    res.end("that was all\n");
  });
});

server.listen(Number(process.env.PORT ?? 3000), () => {
  console.log(`listening on http://localhost:${server.address().port}`);
});

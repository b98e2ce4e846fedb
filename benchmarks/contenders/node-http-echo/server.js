// What chapter 4's server answers, byte for byte, from node:http.
import { createServer } from "node:http";

const server = createServer((req, res) => {
  const chunks = [];
  req.on("data", (chunk) => chunks.push(chunk));
  req.on("end", () => {
    const body = JSON.stringify({
      method: req.method,
      target: req.url,
      version: req.httpVersion,
      fields: req.headers,
      body: Buffer.concat(chunks).toString(),
    });
    res.writeHead(200, {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
      // Said here, so that node:http adds no keep-alive line of its own.
      connection: "keep-alive",
    });
    res.end(body);
  });
});

server.listen(Number(process.env.PORT ?? 3000), () => {
  console.log(`listening on http://localhost:${server.address().port}`);
});

import { createServer } from "node:http";
import { answerClientError } from "./client-error.js";

const server = createServer(async (req, res) => {
  try {
    await handle(req, res);
  } catch (err) {
    console.log(err?.message ?? err);
    if (res.headersSent) res.destroy();
    else res.writeHead(500).end("it is our fault\n");
  }
});

async function handle(req, res) {
  const pieces = [];
  for await (const piece of req) pieces.push(piece);
  const body = JSON.stringify({
    method: req.method,
    target: req.url,
    version: req.httpVersion,
    fields: req.headers,
    body: Buffer.concat(pieces).toString(),
  });
  res.writeHead(200, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
  });
  res.end(body);
}

server.on("clientError", answerClientError);

server.listen(Number(process.env.PORT ?? 3000), () => {
  console.log(`listening on http://localhost:${server.address().port}`);
});

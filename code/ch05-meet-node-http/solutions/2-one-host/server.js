import { createServer } from "node:http";
import { strict } from "./strict.js";

/** @import { IncomingMessage, ServerResponse } from "node:http" */

const server = createServer(strict(describeRequest));

/**
 * @param {IncomingMessage} req
 * @param {ServerResponse} res
 */
function describeRequest(req, res) {
  const pieces = [];
  req.on("data", (piece) => pieces.push(piece));
  req.on("end", () => {
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
  });
}

server.listen(Number(process.env.PORT ?? 3000), () => {
  console.log(`listening on http://localhost:${server.address().port}`);
});

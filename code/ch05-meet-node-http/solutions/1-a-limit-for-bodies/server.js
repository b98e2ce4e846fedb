import { createServer } from "node:http";

/** @import { IncomingMessage, ServerResponse } from "node:http" */

/** As many bytes may a body have. */
const BODY_BYTES = 1024 * 1024;

/** How long a refused client may go on sending, in milliseconds. */
const LINGER = 1_000;

const server = createServer((req, res) => {
  if (Number(req.headers["content-length"]) > BODY_BYTES) {
    return refuse(req, res);
  }
  const pieces = [];
  let length = 0;
  req.on("data", take);
  req.on("end", answer);

  /** @param {Buffer} piece */
  function take(piece) {
    pieces.push(piece);
    length += piece.length;
    if (length <= BODY_BYTES) return;
    req.off("data", take);
    req.off("end", answer);
    refuse(req, res);
  }

  function answer() {
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
});

/**
 * @param {IncomingMessage} req
 * @param {ServerResponse} res
 */
function refuse(req, res) {
  const body = "the body is too large\n";
  res.writeHead(413, {
    "content-type": "text/plain",
    "content-length": Buffer.byteLength(body),
    connection: "close",
  });
  res.write(body);
  // The client has its answer. What it still sends is read and dropped:
  // after end Node hangs up, and that could take the answer back.
  req.resume();
  req.on("end", () => res.end());
  setTimeout(() => res.end(), LINGER);
}

server.listen(Number(process.env.PORT ?? 3000), () => {
  console.log(`listening on http://localhost:${server.address().port}`);
});

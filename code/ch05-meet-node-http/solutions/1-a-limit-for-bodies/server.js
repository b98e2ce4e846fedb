import { createServer } from "node:http";

/** @import { IncomingMessage, ServerResponse } from "node:http" */

/** As many bytes may a body have. */
const BODY_BYTES = 1024 * 1024;

/** How long a refused client may go on sending, in milliseconds. */
const LINGER = 1_000;

const server = createServer(async (req, res) => {
  try {
    await handle(req, res);
  } catch (err) {
    // A client that was refused, and cut off for going on too long.
    if (res.writableEnded) return;
    console.log(err?.message ?? err);
    if (res.headersSent) res.destroy();
    else res.writeHead(500).end("it is our fault\n");
  }
});

/**
 * @param {IncomingMessage} req
 * @param {ServerResponse} res
 */
async function handle(req, res) {
  if (Number(req.headers["content-length"]) > BODY_BYTES) refuse(res);
  const pieces = [];
  let length = 0;
  for await (const piece of req) {
    length += piece.length;
    // Who is refused is read on: what is unread when Node hangs up can take
    // the answer back, and behind the loop nobody reads.
    if (res.headersSent) continue;
    if (length <= BODY_BYTES) pieces.push(piece);
    else refuse(res);
  }
  if (res.headersSent) return res.end();
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

/**
 * Sends the whole 413, and ends it only when the client has had some time:
 * at the end Node hangs up.
 *
 * @param {ServerResponse} res
 */
function refuse(res) {
  const body = "the body is too large\n";
  res.writeHead(413, {
    "content-type": "text/plain",
    "content-length": Buffer.byteLength(body),
    connection: "close",
  });
  res.write(body);
  setTimeout(() => res.end(), LINGER);
}

server.listen(Number(process.env.PORT ?? 3000), () => {
  console.log(`listening on http://localhost:${server.address().port}`);
});

/** What chapter 4's server answers, byte for byte. */
export function answer(req, res, content) {
  const body = JSON.stringify({
    method: req.method,
    target: req.url,
    version: req.httpVersion,
    fields: req.headers,
    body: content,
  });
  res.writeHead(200, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    // Said here, so that node:http adds no keep-alive line of its own.
    connection: "keep-alive",
  });
  res.end(body);
}

/** Answers when the whole body is there. */
export function answerLater(req, res) {
  const chunks = [];
  req.on("data", (chunk) => chunks.push(chunk));
  req.on("end", () => answer(req, res, Buffer.concat(chunks).toString()));
}

/** @param {import("node:http").Server} server */
export function listen(server) {
  server.listen(Number(process.env.PORT ?? 3000), () => {
    console.log(`listening on http://localhost:${server.address().port}`);
  });
}

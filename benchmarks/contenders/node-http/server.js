// The floor for whatever stands on node:http: the answer and nothing else.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { answerOther } from "./others.js";

const prefix = "/bench/";

/** The value of `id` in a query string, or null. */
function findId(query) {
  for (const pair of query.split("&")) {
    if (pair.startsWith("id=")) return decodeURIComponent(pair.slice(3).replaceAll("+", " "));
  }
  return null;
}

function answer(req, res) {
  const question = req.url.indexOf("?");
  const path = question === -1 ? req.url : req.url.slice(0, question);
  if (!path.startsWith(prefix)) {
    answerOther(path, req, res);
    return;
  }
  const body = JSON.stringify({
    name: decodeURIComponent(path.slice(prefix.length)),
    id: question === -1 ? null : findId(req.url.slice(question + 1)),
  });
  res.writeHead(200, {
    "x-powered-by": "benchmark",
    "content-type": "application/json",
    connection: "keep-alive",
    "keep-alive": "timeout=5",
    "content-length": Buffer.byteLength(body),
  });
  res.end(body);
}

const { TLS_KEY, TLS_CERT, REUSE_PORT, PORT = "3000" } = process.env;

async function makeSecureServer() {
  const https = await import("node:https");
  return https.createServer({ key: readFileSync(TLS_KEY), cert: readFileSync(TLS_CERT) }, answer);
}

// Who isn't asked for TLS doesn't load it.
export const server = TLS_KEY ? await makeSecureServer() : createServer(answer);

server.listen({ port: Number(PORT), reusePort: REUSE_PORT === "1" }, () => {
  console.log(`listening on http://localhost:${server.address().port}`);
});

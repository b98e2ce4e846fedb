import { createServer as createHttpServer } from "node:http";
import { fileURLToPath } from "node:url";
import { DEFAULT_LIMITS } from "./cases/building-blocks.js";

/**
 * The server of chapter 5: the contract's JSON from node:http, which the
 * book's own server is compared with. All is as Node has it, but for the
 * limits.
 *
 * @param {{ limits?: import("./cases/building-blocks.js").Limits }} [options]
 *   Node counts the request line and the fields together, and has no limit
 *   for a body: that is left to the handler.
 * @returns {import("node:http").Server}
 */
export function createServer({ limits = {} } = {}) {
  return setLimits(createHttpServer, limits).on("request", answer);
}

/**
 * Has a server made with these limits, in the words of node:http.
 *
 * @template {import("node:http").Server} Server
 * @param {(options: import("node:http").ServerOptions) => Server} create
 * @param {import("./cases/building-blocks.js").Limits} limits
 */
export function setLimits(create, limits) {
  const {
    requestLineBytes,
    fieldSectionBytes,
    fieldCount,
    headTimeout,
    requestTimeout,
    idleTimeout,
    requestsPerConnection,
  } = { ...DEFAULT_LIMITS, ...limits };
  const server = create({
    maxHeaderSize: requestLineBytes + fieldSectionBytes,
    headersTimeout: Math.min(headTimeout, requestTimeout),
    requestTimeout,
    keepAliveTimeout: idleTimeout,
    // Node looks for late requests this often; its default of 30 s would
    // make every answer of 408 come up to half a minute late.
    connectionsCheckingInterval: 50,
  });
  server.maxHeadersCount = fieldCount;
  if (Number.isFinite(requestsPerConnection)) {
    server.maxRequestsPerSocket = requestsPerConnection;
  }
  return server;
}

/**
 * Answers with what came, as JSON.
 *
 * @param {import("node:http").IncomingMessage} req
 * @param {import("node:http").ServerResponse} res
 */
export async function answer(req, res) {
  const chunks = [];
  try {
    for await (const chunk of req) chunks.push(chunk);
  } catch {
    return; // The client broke off, and nobody is there to answer.
  }
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
  });
  res.end(body);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const server = createServer();
  server.listen(process.env.PORT ?? 3000, () => {
    const address = server.address();
    const port = typeof address === "object" ? address?.port : address;
    console.log(`listening on http://localhost:${port}`);
  });
}

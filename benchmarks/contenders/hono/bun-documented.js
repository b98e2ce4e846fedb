// Bun sends no field lines about the connection by itself: what the others
// say is said here, so that all answers have the same.
import { makeApp } from "./documented-app.js";
import { makeFiles } from "./documented-files.js";

const { TLS_KEY, TLS_CERT, CLOSING, REUSE_PORT, PORT = "3000" } = process.env;
const staying = { connection: "keep-alive", "keep-alive": "timeout=5" };
const files = await makeFiles(() => import("hono/bun"));
const { fetch } = makeApp(CLOSING ? { connection: "close" } : staying, files);

const server = Bun.serve({
  fetch,
  port: Number(PORT),
  reusePort: REUSE_PORT === "1",
  ...(TLS_KEY ? { tls: { key: Bun.file(TLS_KEY), cert: Bun.file(TLS_CERT) } } : {}),
});

console.log(`listening on http://localhost:${server.port}`);

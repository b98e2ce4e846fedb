import { readFileSync } from "node:fs";
import { createServer } from "velocy/engine";
import { router } from "./documented-router.js";

const { TLS_KEY, TLS_CERT, PORT = "3000" } = process.env;
const secrets = TLS_KEY ? { key: readFileSync(TLS_KEY), cert: readFileSync(TLS_CERT) } : {};

const server = createServer(router, secrets).listen(Number(PORT), () => {
  console.log(`listening on http://localhost:${server.address().port}`);
});

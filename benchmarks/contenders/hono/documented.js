import { readFileSync } from "node:fs";
import { serve } from "@hono/node-server";
import { makeApp } from "./documented-app.js";
import { makeFiles } from "./documented-files.js";

const { TLS_KEY, TLS_CERT, PORT = "3000" } = process.env;
const files = await makeFiles(() => import("@hono/node-server/serve-static"));
const { fetch } = makeApp({}, files);
// Who isn't asked for TLS doesn't load it.
const secure = TLS_KEY && {
  createServer: (await import("node:https")).createServer,
  serverOptions: { key: readFileSync(TLS_KEY), cert: readFileSync(TLS_CERT) },
};

serve({ fetch, port: Number(PORT), ...secure }, ({ port }) => {
  console.log(`listening on http://localhost:${port}`);
});

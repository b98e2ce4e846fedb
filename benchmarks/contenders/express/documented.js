// As Express's documentation writes it: its own parser for the body, its own
// answers, its own defaults.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import express from "express";

const large = `${"wire ".repeat(12)}end\n`.repeat(1024);

const app = express();
app.disable("x-powered-by");

app.get("/bench/:name", (req, res) => {
  res.set("x-powered-by", "benchmark").json({ name: req.params.name, id: req.query.id ?? null });
});

app.post("/bench", express.json(), (req, res) => {
  const { name, id = null, tags } = req.body;
  res.set("x-powered-by", "benchmark").json({ name, id, tags: tags.length });
});

app.get("/large", (_req, res) => {
  res.set("x-powered-by", "benchmark").type("text/plain").send(large);
});

const { FILES, TLS_KEY, TLS_CERT, PORT = "3000" } = process.env;

if (FILES) app.use("/files", express.static(FILES));

async function makeSecureServer() {
  const https = await import("node:https");
  return https.createServer({ key: readFileSync(TLS_KEY), cert: readFileSync(TLS_CERT) }, app);
}

// Who isn't asked for TLS doesn't load it.
const server = TLS_KEY ? await makeSecureServer() : createServer(app);

server.listen(Number(PORT), () => {
  console.log(`listening on http://localhost:${server.address().port}`);
});
